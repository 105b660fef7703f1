/** The C interface of Pleiad, for all languages that can call C: accelerations of arrays, and simulations.
 *
 * Every function that can fail returns a pleiad_status; pleiad_last_error() then returns a message of one
 * line. No function throws. Handles are opaque: free each one with its own function, which accepts NULL. The
 * library keeps no pointer to the caller's memory after a call. Use a handle from one thread at a time;
 * different handles may be used concurrently.
 *
 * Vectors are packed triples x y z x y z ..., 3 n doubles for n bodies. Set options to the defaults with
 * their function, then change them. Later versions may add fields at the end of a struct.
 */
/* SPDX-FileCopyrightText: Pleiad contributors
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PLEIAD_H
#define PLEIAD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What became of a call; also the exit codes of the program. */
typedef enum pleiad_status {
  PLEIAD_OK = 0,
  PLEIAD_DEFECT = 1,    /* an error in the library */
  PLEIAD_USAGE = 2,     /* an invalid argument, option or name */
  PLEIAD_INPUT = 3,     /* invalid bodies or files */
  PLEIAD_RESOURCE = 4,  /* memory, disk, permission, device */
  PLEIAD_NUMERICAL = 5, /* the simulation failed */
  PLEIAD_STOPPED = 75   /* the watch function ended the call */
} pleiad_status;

/* The message of the last failed call of this thread, or "". It is valid until the next call fails. */
const char* pleiad_last_error(void);
/* "0.2.0". */
const char* pleiad_version(void);

/* Bodies at one time. */
typedef struct pleiad_bodies pleiad_bodies;

/* Bodies from arrays. velocities may be NULL: all are 0. G is 1, the boundary is open. */
pleiad_status pleiad_bodies_new(size_t n, const double* masses, const double* positions,
                                const double* velocities, pleiad_bodies** bodies);
/* Initial conditions by the name of a model, as in `pleiad ic`: "plummer" with {"n"}, {1e5}. */
pleiad_status pleiad_bodies_model(const char* model, size_t parameters, const char* const* names,
                                  const double* values, uint64_t seed, pleiad_bodies** bodies);
/* Bodies from a snapshot in any format that Pleiad reads. */
pleiad_status pleiad_bodies_read(const char* file, pleiad_bodies** bodies);
/* Writes a file; the ending selects the format: .hdf5, .gadget2, .tipsy, .csv. */
pleiad_status pleiad_bodies_write(const pleiad_bodies* bodies, const char* file);
/* The number of bodies; of NULL 0. */
size_t pleiad_bodies_count(const pleiad_bodies* bodies);
/* The gravitational constant; of NULL 0. */
double pleiad_bodies_G(const pleiad_bodies* bodies);
/* For the simulations made from them. */
pleiad_status pleiad_bodies_set_G(pleiad_bodies* bodies, double G);
/* Any of the three may be NULL. */
pleiad_status pleiad_bodies_copy(const pleiad_bodies* bodies, double* masses, double* positions,
                                 double* velocities);
/* NULL does nothing. */
void pleiad_bodies_free(pleiad_bodies* bodies);

/* How a simulation is computed. */
typedef struct pleiad_simulation_options {
  size_t size;            /* of this struct; pleiad_simulation_defaults sets it */
  double softening;       /* Plummer softening length */
  double dt;              /* time step; adaptive: the longest one */
  double accuracy;        /* target relative force error of 99 % of the bodies; 0: direct sums */
  const char* integrator; /* "kdk", "dkd", "euler", "forest-ruth", "yoshida6", "hermite4" */
  int adaptive;           /* 1: steps of eta min sqrt(eps / a) */
  double eta;
  const char* precision;  /* "auto", "f32", "mixed", "f64" */
  const char* backend;    /* "auto", "cpu", "cuda" */
  const char* kernel;     /* "auto", or a method by name */
  int gpus;               /* maximum number of GPUs; 0: as many as make it faster */
  int threads;            /* 0: all */
  const char* cache;      /* a file for measurements; NULL: none */
  const char* potentials; /* external ones, one a line: "nfw mass=80 scale=16"; NULL: none */
  int exact_steps;        /* 1: refuse times that are not whole numbers of fixed steps */
} pleiad_simulation_options;
/* Sets every field, `size` too. */
void pleiad_simulation_defaults(pleiad_simulation_options* options);

/* Bodies that step. */
typedef struct pleiad_simulation pleiad_simulation;

/* Called between steps, about ten times a second. Return 0 to end the call, 1 to continue. */
typedef int (*pleiad_watch)(double time, uint64_t step, void* user);

/* The bodies are copied. */
pleiad_status pleiad_simulation_new(const pleiad_bodies* start, const pleiad_simulation_options* options,
                                    pleiad_simulation** simulation);
/* Makes this number of steps. */
pleiad_status pleiad_simulation_step(pleiad_simulation* simulation, uint64_t steps);
/* Steps until exactly `time`. PLEIAD_STOPPED if `watch` (may be NULL) ended it; call again to continue. */
pleiad_status pleiad_simulation_run_until(pleiad_simulation* simulation, double time, pleiad_watch watch,
                                          void* user);
/* The present time; of NULL 0. */
double pleiad_simulation_time(const pleiad_simulation* simulation);
/* The number of steps since the start; of NULL 0. */
uint64_t pleiad_simulation_steps(const pleiad_simulation* simulation);
/* The number of bodies; of NULL 0. */
size_t pleiad_simulation_count(const pleiad_simulation* simulation);
/* Each of the two may be NULL. */
pleiad_status pleiad_simulation_copy(pleiad_simulation* simulation, double* positions, double* velocities);
/* G included; each of the two may be NULL. */
pleiad_status pleiad_simulation_accelerations(pleiad_simulation* simulation, double* accelerations,
                                              double* potentials);
/* Any of the three may be NULL. error: relative error of the total energy since the start. */
pleiad_status pleiad_simulation_energy(pleiad_simulation* simulation, double* kinetic, double* potential,
                                       double* error);
/* The present bodies; the caller frees them. */
pleiad_status pleiad_simulation_bodies(pleiad_simulation* simulation, pleiad_bodies** bodies);
/* Writes a checkpoint to an existing folder, with two generations; load continues it bit for bit. */
pleiad_status pleiad_simulation_save(pleiad_simulation* simulation, const char* folder);
/* Continues what was saved in a folder. threads: 0: all. */
pleiad_status pleiad_simulation_load(const char* folder, int threads, pleiad_simulation** simulation);
/* NULL does nothing. */
void pleiad_simulation_free(pleiad_simulation* simulation);

/* The law a_i = G sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + softening^2)^(3/2), and its computation. */
typedef struct pleiad_force_options {
  size_t size; /* of this struct; pleiad_force_defaults sets it */
  double softening;
  double G;
  double accuracy;       /* target relative force error of 99 % of the bodies; 0: direct sums */
  const char* precision; /* "auto", "f32", "mixed", "f64" */
  const char* kernel;    /* "auto", or a method by name */
  double box[3];         /* sides of a periodic box (Ewald summation); 0: open space */
  int threads;           /* 0: all */
  const char* cache;     /* a file for measurements; NULL: none */
} pleiad_force_options;
/* Sets every field, `size` too. */
void pleiad_force_defaults(pleiad_force_options* options);

/* A solver keeps its memory, its threads and the method chosen for an accuracy. */
typedef struct pleiad_solver pleiad_solver;

/* The options must be those of pleiad_force_defaults, changed as wanted. */
pleiad_status pleiad_solver_new(const pleiad_force_options* options, pleiad_solver** solver);
/* potentials may be NULL. */
pleiad_status pleiad_solver_accelerations(pleiad_solver* solver, size_t n, const double* positions,
                                          const double* masses, double* accelerations, double* potentials);
/* Accelerations at n_targets points, which exert no force. */
pleiad_status pleiad_solver_accelerations_at(pleiad_solver* solver, size_t n_targets, const double* targets,
                                             size_t n, const double* positions, const double* masses,
                                             double* accelerations, double* potentials);
/* The method of the last call; the text is valid until the next call of this solver. */
const char* pleiad_solver_kernel(const pleiad_solver* solver);
/* NULL does nothing. */
void pleiad_solver_free(pleiad_solver* solver);

/* A single evaluation, without a solver. */
pleiad_status pleiad_accelerations(size_t n, const double* positions, const double* masses,
                                   const pleiad_force_options* options, double* accelerations,
                                   double* potentials);

#ifdef __cplusplus
}
#endif
#endif
