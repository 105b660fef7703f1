/** Pleiad for C, and for every language that calls C: gravity of bodies in arrays, and whole simulations.
 *
 * Every function that can fail returns a pleiad_status; what went wrong says pleiad_last_error() in one line.
 * No exception leaves it. Handles are opaque: each is freed by its own function, which takes NULL too; the
 * library keeps no pointer to the caller's memory beyond a call. A handle belongs to one thread at a time;
 * different handles may be used at once.
 *
 * Vectors are packed triples x y z x y z ..., 3 n doubles for n bodies. Options are made by their function
 * with the defaults, then changed: fields may be added at their ends in later versions.
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

typedef enum pleiad_status {
  PLEIAD_OK = 0,
  PLEIAD_DEFECT = 1,    /* of the library itself */
  PLEIAD_USAGE = 2,     /* an argument, an option or a name that cannot be */
  PLEIAD_INPUT = 3,     /* bodies or files that are not usable */
  PLEIAD_RESOURCE = 4,  /* memory, disk, permission, device */
  PLEIAD_NUMERICAL = 5, /* the simulation itself failed */
  PLEIAD_STOPPED = 75   /* the watch has ended the call */
} pleiad_status;

/* What went wrong in this thread's last call that failed; "" before. It holds until the next one fails. */
const char* pleiad_last_error(void);
/* "0.2.0". */
const char* pleiad_version(void);

/* Bodies at a time. */
typedef struct pleiad_bodies pleiad_bodies;

/* From arrays; velocities may be NULL: at rest. G is 1, space is open. */
pleiad_status pleiad_bodies_new(size_t n, const double* masses, const double* positions,
                                const double* velocities, pleiad_bodies** bodies);
/* Initial conditions by name, as `pleiad ic`: "plummer" with {"n"}, {1e5}. */
pleiad_status pleiad_bodies_model(const char* model, size_t parameters, const char* const* names,
                                  const double* values, uint64_t seed, pleiad_bodies** bodies);
/* A snapshot in any format that Pleiad reads. */
pleiad_status pleiad_bodies_read(const char* file, pleiad_bodies** bodies);
/* Into a file whose ending says the format: .hdf5, .gadget2, .tipsy, .csv. */
pleiad_status pleiad_bodies_write(const pleiad_bodies* bodies, const char* file);
size_t pleiad_bodies_count(const pleiad_bodies* bodies);
double pleiad_bodies_G(const pleiad_bodies* bodies);
pleiad_status pleiad_bodies_set_G(pleiad_bodies* bodies, double G);
/* Any of the three may be NULL. */
pleiad_status pleiad_bodies_copy(const pleiad_bodies* bodies, double* masses, double* positions,
                                 double* velocities);
void pleiad_bodies_free(pleiad_bodies* bodies);

/* How a simulation is computed. */
typedef struct pleiad_simulation_options {
  size_t size;            /* of this struct, as pleiad_simulation_defaults has set it */
  double softening;       /* Plummer's length */
  double dt;              /* the step; adaptive: the longest */
  double accuracy;        /* relative error of 99 % of the accelerations; 0: direct sums */
  const char* integrator; /* "kdk", "dkd", "euler", "forest-ruth", "yoshida6", "hermite4" */
  int adaptive;           /* 1: steps of eta min sqrt(eps / a) */
  double eta;
  const char* precision; /* "f32", "mixed", "f64" */
  const char* backend;   /* "auto", "cpu", "cuda" */
  const char* kernel;    /* "auto", or how forces are found, by name */
  int gpus;              /* the most that may be used; 0: as many as make it faster */
  int threads;           /* 0: all */
  const char* cache;     /* a file in which measurements are kept; NULL: nowhere */
} pleiad_simulation_options;
void pleiad_simulation_defaults(pleiad_simulation_options* options);

typedef struct pleiad_simulation pleiad_simulation;

/* Told between steps, about ten times a second; 0 ends the call, 1 goes on. */
typedef int (*pleiad_watch)(double time, uint64_t step, void* user);

/* The bodies are copied. */
pleiad_status pleiad_simulation_new(const pleiad_bodies* start, const pleiad_simulation_options* options,
                                    pleiad_simulation** simulation);
/* So many steps of dt. */
pleiad_status pleiad_simulation_step(pleiad_simulation* simulation, uint64_t steps);
/* Until exactly `time`. PLEIAD_STOPPED when `watch` (or NULL) has ended it: another call goes on. */
pleiad_status pleiad_simulation_run_until(pleiad_simulation* simulation, double time, pleiad_watch watch,
                                          void* user);
double pleiad_simulation_time(const pleiad_simulation* simulation);
uint64_t pleiad_simulation_steps(const pleiad_simulation* simulation);
size_t pleiad_simulation_count(const pleiad_simulation* simulation);
/* Any of the two may be NULL. */
pleiad_status pleiad_simulation_copy(pleiad_simulation* simulation, double* positions, double* velocities);
/* G included; any of the two may be NULL. */
pleiad_status pleiad_simulation_accelerations(pleiad_simulation* simulation, double* accelerations,
                                              double* potentials);
/* Any of the three may be NULL; error: of the whole energy since the start, relative. */
pleiad_status pleiad_simulation_energy(pleiad_simulation* simulation, double* kinetic, double* potential,
                                       double* error);
/* The bodies of now, which the caller frees. */
pleiad_status pleiad_simulation_bodies(pleiad_simulation* simulation, pleiad_bodies** bodies);
/* A checkpoint of two generations in an existing folder, and the simulation that continues it bit for bit. */
pleiad_status pleiad_simulation_save(pleiad_simulation* simulation, const char* folder);
pleiad_status pleiad_simulation_load(const char* folder, int threads, pleiad_simulation** simulation);
void pleiad_simulation_free(pleiad_simulation* simulation);

/* Which accelerations: a_i = G sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + softening^2)^(3/2). */
typedef struct pleiad_force_options {
  size_t size; /* of this struct, as pleiad_force_defaults has set it */
  double softening;
  double G;
  double accuracy;       /* relative error of 99 % of them; 0: direct sums */
  const char* precision; /* "f32", "mixed", "f64" */
  const char* kernel;    /* "auto", or how forces are found, by name */
  double box[3];         /* sides of a periodic box whose images all pull; 0: open space */
  int threads;           /* 0: all */
  const char* cache;     /* a file in which measurements are kept; NULL: nowhere */
} pleiad_force_options;
void pleiad_force_defaults(pleiad_force_options* options);

/* Keeps memory, threads and the method that was found for an accuracy. */
typedef struct pleiad_solver pleiad_solver;

pleiad_status pleiad_solver_new(const pleiad_force_options* options, pleiad_solver** solver);
/* potentials may be NULL. */
pleiad_status pleiad_solver_accelerations(pleiad_solver* solver, size_t n, const double* positions,
                                          const double* masses, double* accelerations, double* potentials);
/* At n_targets places that pull nothing. */
pleiad_status pleiad_solver_accelerations_at(pleiad_solver* solver, size_t n_targets, const double* targets,
                                             size_t n, const double* positions, const double* masses,
                                             double* accelerations, double* potentials);
/* How the last ones were found; holds until the solver's next call. */
const char* pleiad_solver_kernel(const pleiad_solver* solver);
void pleiad_solver_free(pleiad_solver* solver);

/* Once, without a solver that is kept. */
pleiad_status pleiad_accelerations(size_t n, const double* positions, const double* masses,
                                   const pleiad_force_options* options, double* accelerations,
                                   double* potentials);

#ifdef __cplusplus
}
#endif
#endif
