/** The C interface of Pleiad, for all languages that can call C: accelerations of arrays, and simulations.
 *
 * Every function that can fail returns a pleiad_status; pleiad_last_error() then returns a message of one
 * line. No function throws. Handles are opaque: free each one with its own function, which accepts NULL. The
 * library keeps no pointer to the caller's memory after a call. Use a handle from one thread at a time;
 * different handles may be used concurrently.
 *
 * Vectors are packed triples x y z x y z ..., 3 n doubles for n bodies. Set options to the defaults with
 * their function, then change them. Later versions may add fields at the end of a struct.
 *
 * Quantities are in the units of the bodies, consistent with G: lengths, velocities, masses, and times in
 * length / velocity. Accelerations, potentials (energy per mass) and energies include G. An array must have
 * the size that its function states. Output arguments are written only if the call returns PLEIAD_OK;
 * accelerations and potentials are undefined otherwise.
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

/* The status of a call; also the exit codes of the program. */
typedef enum pleiad_status {
  PLEIAD_OK = 0,
  PLEIAD_DEFECT = 1,    /* an error in the library */
  PLEIAD_USAGE = 2,     /* an invalid argument, option or name */
  PLEIAD_INPUT = 3,     /* invalid bodies or files */
  PLEIAD_RESOURCE = 4,  /* memory, disk, permission, device */
  PLEIAD_NUMERICAL = 5, /* the simulation failed */
  PLEIAD_STOPPED = 75   /* the watch function ended the call */
} pleiad_status;

/* The cause of an error, as far as a program can react to it: the status times 100, and more. More may be
 * added; the numbers of those that are here stay. */
typedef enum pleiad_error_code {
  PLEIAD_NO_ERROR = 0,
  PLEIAD_INVALID_ARGUMENT = 200, /* any usage error without a code of its own */
  PLEIAD_UNKNOWN_NAME = 201,  /* no model, kernel, key, unit ... of this name; the message has the nearest */
  PLEIAD_UNSUPPORTED = 202,   /* each setting is valid, but not in this combination */
  PLEIAD_MISSING_FILE = 203,  /* there is no such file */
  PLEIAD_INVALID_DATA = 300,  /* any input error without a code of its own */
  PLEIAD_DAMAGED_FILE = 301,  /* a checksum or a format shows that the file is not as it was written */
  PLEIAD_OTHER_VERSION = 302, /* written by another version of the format */
  PLEIAD_MISSING_CHECKPOINT = 303,   /* the folder has no checkpoint */
  PLEIAD_UNAVAILABLE = 400,          /* any resource error without a code of its own */
  PLEIAD_OUT_OF_MEMORY = 401,        /* of the host */
  PLEIAD_OUT_OF_DEVICE_MEMORY = 402, /* of a GPU */
  PLEIAD_NO_DEVICE = 403,            /* no GPU that can be used, or fewer than requested */
  PLEIAD_DEVICE_FAILED = 404,        /* a kernel or a GPU failed; this process can use the GPU no more */
  PLEIAD_CANNOT_WRITE = 405,         /* disk full, no permission, or no folder */
  PLEIAD_IN_USE = 406,         /* another process holds the directory, port or GPU; later it may be free */
  PLEIAD_FAILED = 500,         /* any numerical error without a code of its own */
  PLEIAD_NOT_FINITE = 501,     /* positions or velocities became infinite or NaN */
  PLEIAD_STEP_TOO_SMALL = 502, /* the adaptive step is lost in the rounding of the time */
  PLEIAD_INACCURATE = 503      /* the requested accuracy of forces or energy is not met */
} pleiad_error_code;

/* Returns the message of the last failed call of this thread, or "". It is valid until the next call of this
 * thread fails. */
const char* pleiad_last_error(void);
/* Returns the code of that error; PLEIAD_NO_ERROR before the first, after a stopped call, and for a defect.
 */
pleiad_error_code pleiad_last_error_code(void);
/* Returns the version of the library: "0.3.0". */
const char* pleiad_version(void);

/* Bodies at one time, with units, G and boundary. */
typedef struct pleiad_bodies pleiad_bodies;

/* Makes bodies from arrays: masses of n numbers, positions and velocities of 3 n. velocities may be NULL: all
 * are 0. G is 1, the boundary is open, the time is 0. The numbers are checked when a simulation is made. */
pleiad_status pleiad_bodies_new(size_t n, const double* masses, const double* positions,
                                const double* velocities, pleiad_bodies** bodies);
/* Makes initial conditions by the name of a model, as in `pleiad ic`: "plummer" with 1, {"n"}, {1e5}. names
 * and values have one entry for each of the `parameters`; the others have their defaults. The value of a
 * choice is the place of its word, from 0. PLEIAD_USAGE for an unknown name or a value out of range. */
pleiad_status pleiad_bodies_model(const char* model, size_t parameters, const char* const* names,
                                  const double* values, uint64_t seed, pleiad_bodies** bodies);
/* Reads a snapshot in any format of Pleiad. PLEIAD_INPUT for a damaged or unknown file. */
pleiad_status pleiad_bodies_read(const char* file, pleiad_bodies** bodies);
/* Writes a snapshot; the ending of the file selects the format: .hdf5, .gadget2, .tipsy, .csv. The file is
 * complete or absent. PLEIAD_USAGE for another ending, PLEIAD_RESOURCE if it cannot be written. */
pleiad_status pleiad_bodies_write(const pleiad_bodies* bodies, const char* file);
/* Returns the number of bodies; 0 for NULL. */
size_t pleiad_bodies_count(const pleiad_bodies* bodies);
/* Returns the gravitational constant; 0 for NULL. */
double pleiad_bodies_G(const pleiad_bodies* bodies);
/* Sets the gravitational constant of simulations that are made from the bodies. */
pleiad_status pleiad_bodies_set_G(pleiad_bodies* bodies, double G);
/* Copies masses (n numbers), positions and velocities (3 n each). Any of the three may be NULL. */
pleiad_status pleiad_bodies_copy(const pleiad_bodies* bodies, double* masses, double* positions,
                                 double* velocities);
/* The orbit of a body. Angles are radians. See pleiad/orbits.hpp for angles of orbits that do not define
 * them; a body without an orbit has NaN. */
typedef struct pleiad_orbit {
  uint64_t id;
  double mu;              /* G times the mass of the body and of what it is about */
  double semi_major_axis; /* negative on a hyperbola, infinite on a parabola */
  double eccentricity;
  double inclination;
  double node;       /* longitude of the ascending node */
  double pericentre; /* argument of pericentre */
  double true_anomaly;
  double mean_anomaly;
  double pericentre_distance;
  double mean_motion;
  double period; /* infinite on a hyperbola or parabola */
} pleiad_orbit;
/* Orbits of bodies about one of them, about a pair, about the barycentre or each about those before it:
 * `about` is "heaviest" (NULL), "barycentre", "jacobi", an id such as "7", or two such as "0,1". Writes at
 * most `capacity` orbits to `orbits`, which may be NULL if it is 0, and their number to `count`. */
pleiad_status pleiad_bodies_orbits(const pleiad_bodies* bodies, const char* about, pleiad_orbit* orbits,
                                   size_t capacity, size_t* count);
/* Frees bodies; NULL is allowed. */
void pleiad_bodies_free(pleiad_bodies* bodies);

/* Options of a simulation. */
typedef struct pleiad_simulation_options {
  size_t size;             /* of this struct; pleiad_simulation_defaults sets it */
  double softening;        /* Plummer softening length */
  double dt;               /* time step; adaptive: the longest one */
  double accuracy;         /* target relative force error of 99 % of the bodies; 0: direct sums */
  const char* integrator;  /* "auto" (kdk, or what position_error chooses),
                              "kdk", "dkd", "euler", "forest-ruth", "blanes-moan4",
                              "yoshida6", "kahan-li8", "hermite4", "hermite6", "gauss-radau",
                              "wisdom-holman", "wisdom-holman-jacobi", "wisdom-holman-hybrid",
                              "ar-chain", "block-kdk", "hermite4-block" */
  int adaptive;            /* 1: steps of eta min sqrt(softening / |a|); others: their own criterion */
  double eta;              /* accuracy of adaptive and block steps, in (0, 1];
                              0: 0.005 with hermite4-block, else 0.02 */
  const char* precision;   /* "auto", "f32", "mixed", "f64" */
  const char* backend;     /* "auto", "cpu", "cuda" */
  const char* kernel;      /* "auto", or a method by name, as for `pleiad run --kernel` */
  int gpus;                /* maximum number of GPUs; 0: as many as make it faster */
  int threads;             /* number of threads; 0: all */
  const char* cache;       /* a file for measurements; NULL: none */
  const char* potentials;  /* external ones, one a line: "nfw mass=80 scale=16"; NULL: none */
  int exact_steps;         /* 1: refuse times that are not whole numbers of fixed steps */
  const char* forces;      /* added ones, one a line: "gr-potential c=10065"; NULL: none */
  const char* semi_active; /* bodies that do not pull each other: "disc star", "below=1e-9"; NULL: none */
  const char* softening_kernel;    /* "plummer", "spline" */
  const char* softening_rule;      /* of pairs, where softenings differ: "max", "quadratic" */
  const double* softening_by_type; /* of the six types, in place of softening; NULL: none */
  int block_levels;                /* block-kdk: the largest number of levels, 1 to 31 */
  const char* block_criterion;     /* block-kdk: "auto", "acceleration", "pairs" */
  int single_step;                 /* block-kdk: 1: all bodies have the shortest step */
  int corrector;                   /* wisdom-holman: order of the symplectic corrector, 0, 3, 5, 7 or 11 */
  double position_error;           /* the largest error of a position at t_end, relative to the distance from
                                      the heaviest body: trials choose integrator, dt and eta, for at most 100
                                      bodies; dt, the longest step, may be 0. 0: dt is the step */
  double t_end;                    /* the time for which position_error is asked */
  int symmetric_steps;             /* 1: adaptive and block steps follow from both of their ends */
  const char* groups;              /* hermite4-block: "off", "regularised": close bodies move as one */
  double group_radius; /* of two bodies of the mean mass that become a group; 0: chosen from them */
  int slow_down;       /* 1: in groups of three and more, weakly pulled binaries make fewer orbits */
} pleiad_simulation_options;
/* Sets every field, also `size`. dt must then be set. */
void pleiad_simulation_defaults(pleiad_simulation_options* options);

/* A simulation: bodies, law, method and clock. */
typedef struct pleiad_simulation pleiad_simulation;

/* A function that is called between steps, about ten times a second, with the `user` pointer of the call. It
 * returns 0 to end the call, and 1 to continue. */
typedef int (*pleiad_watch)(double time, uint64_t step, void* user);

/* Makes a simulation of a copy of the bodies, and evaluates the forces once. PLEIAD_INPUT for invalid bodies,
 * PLEIAD_USAGE for invalid options, PLEIAD_RESOURCE if memory or a GPU is missing. */
pleiad_status pleiad_simulation_new(const pleiad_bodies* start, const pleiad_simulation_options* options,
                                    pleiad_simulation** simulation);
/* Makes `steps` steps. */
pleiad_status pleiad_simulation_step(pleiad_simulation* simulation, uint64_t steps);
/* Makes steps until exactly `time`. PLEIAD_STOPPED if `watch` (may be NULL) has ended the call between two
 * steps; call again to continue. PLEIAD_USAGE if `time` is in the past or between two fixed steps. */
pleiad_status pleiad_simulation_run_until(pleiad_simulation* simulation, double time, pleiad_watch watch,
                                          void* user);
/* Returns the present time; 0 for NULL. */
double pleiad_simulation_time(const pleiad_simulation* simulation);
/* Returns the number of steps since the start; 0 for NULL. */
uint64_t pleiad_simulation_steps(const pleiad_simulation* simulation);
/* Returns the number of bodies n; 0 for NULL. */
size_t pleiad_simulation_count(const pleiad_simulation* simulation);
/* Copies the present positions and velocities, 3 n numbers each, in the order of the start. Either may be
 * NULL. */
pleiad_status pleiad_simulation_copy(pleiad_simulation* simulation, double* positions, double* velocities);
/* Computes accelerations (3 n numbers) and potentials (n) in the present state. Either may be NULL. */
pleiad_status pleiad_simulation_accelerations(pleiad_simulation* simulation, double* accelerations,
                                              double* potentials);
/* Computes energies. Any of the three may be NULL. error: relative error of the total energy since the start.
 */
pleiad_status pleiad_simulation_energy(pleiad_simulation* simulation, double* kinetic, double* potential,
                                       double* error);
/* Makes a copy of the present bodies, which the caller frees. */
pleiad_status pleiad_simulation_bodies(pleiad_simulation* simulation, pleiad_bodies** bodies);
/* Writes a checkpoint to an existing folder, with two generations. PLEIAD_RESOURCE if it cannot be written.
 */
pleiad_status pleiad_simulation_save(pleiad_simulation* simulation, const char* folder);
/* Makes the simulation that was saved in a folder, which continues bit for bit. threads: their number; 0:
 * all. PLEIAD_INPUT if there is no complete checkpoint. */
pleiad_status pleiad_simulation_load(const char* folder, int threads, pleiad_simulation** simulation);
/* What a simulation looks for after every step, and what follows: docs/encounters.md. */
typedef struct pleiad_encounter_settings {
  size_t size;              /* of this struct; pleiad_encounter_defaults sets it */
  double distance;          /* of approaches; 0: none */
  double radius;            /* of all bodies, for collisions */
  double density;           /* of all bodies, in place of a radius: it gives the volume of each mass */
  double escape_radius;     /* in escape_unit, about escape_centre; 0: no escapes */
  const char* on_approach;  /* "record", "stop" */
  const char* on_collision; /* "record", "stop", "merge", "remove" */
  const char* on_escape;    /* "record", "stop", "remove" */
  const uint64_t* ids;      /* bodies with radii of their own, or NULL */
  const double* radii;      /* their radii, or NULL */
  size_t own_radii;         /* the number of ids and radii */
  const char* escape_unit; /* "length", or radii of the present cluster: "half-mass-radius", "tidal-radius" */
  const char* escape_centre; /* "mass", "density"; "auto": mass with a length, else density */
} pleiad_encounter_settings;
/* Sets every field, also `size`: nothing is looked for, and everything recorded. */
void pleiad_encounter_defaults(pleiad_encounter_settings* settings);

/* What an event is. */
typedef enum pleiad_encounter_kind {
  PLEIAD_APPROACH = 0,  /* a minimum of the distance of two bodies */
  PLEIAD_COLLISION = 1, /* a first contact of their radii */
  PLEIAD_ESCAPE = 2,    /* a passage outwards through the sphere of escapes */
  PLEIAD_MERGER = 3,    /* a body that has absorbed another one */
  PLEIAD_REMOVAL = 4    /* a body that was taken away */
} pleiad_encounter_kind;

/* An event. Numbers without a value are NaN. */
typedef struct pleiad_encounter {
  pleiad_encounter_kind kind;
  double time;        /* of the event; of mergers and removals the end of the step */
  uint64_t step;      /* in which it is, counted from 1 */
  uint64_t id, other; /* the two bodies; the same id where it has one only */
  double mass, other_mass;
  double distance, speed;          /* of the two, relative; of an escape about the centre of mass */
  double position[3], velocity[3]; /* of the centre of mass of the two, or of the body */
  double energy;                   /* per mass, of the two about each other, or of an escaping body */
  double energy_lost;              /* by all bodies, in a merger or a removal */
  double angular_momentum_lost[3]; /* by the same, about the origin */
} pleiad_encounter;

/* Looks for encounters from now on, or for none. Bodies that merge or vanish change
 * pleiad_simulation_count; pleiad_simulation_bodies has the ids. Where a reaction is "stop",
 * pleiad_simulation_step and pleiad_simulation_run_until return PLEIAD_STOPPED after the step; call again to
 * continue. PLEIAD_USAGE for settings that cannot be. */
pleiad_status pleiad_simulation_watch_encounters(pleiad_simulation* simulation,
                                                 const pleiad_encounter_settings* settings);
/* Writes at most `capacity` of the events since pleiad_simulation_watch_encounters to `encounters`, which may
 * be NULL if it is 0, beginning with number `first`, and the number of all of them to `count`. */
pleiad_status pleiad_simulation_encounters(pleiad_simulation* simulation, size_t first,
                                           pleiad_encounter* encounters, size_t capacity, size_t* count);
/* Frees a simulation; NULL is allowed. */
void pleiad_simulation_free(pleiad_simulation* simulation);

/* The law a_i = G sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + softening^2)^(3/2), and its computation. */
typedef struct pleiad_force_options {
  size_t size;                  /* of this struct; pleiad_force_defaults sets it */
  double softening;             /* Plummer softening length */
  double G;                     /* gravitational constant */
  double accuracy;              /* target relative force error of 99 % of the bodies; 0: direct sums */
  const char* precision;        /* "auto", "f32", "mixed", "f64" */
  const char* kernel;           /* "auto", or a method by name */
  double box[3];                /* sides of a periodic box (Ewald summation); 0: open space */
  int threads;                  /* number of threads; 0: all */
  const char* cache;            /* a file for measurements; NULL: none */
  const char* softening_kernel; /* "plummer", "spline" */
  const char* softening_rule;   /* of pairs of bodies with softenings: "max", "quadratic" */
  const double* softenings;     /* one for each body that pulls, in place of softening; NULL: none */
  size_t softening_count;       /* their number */
} pleiad_force_options;
/* Sets every field, also `size`. */
void pleiad_force_defaults(pleiad_force_options* options);

/* A solver keeps its memory, its threads and the method chosen for an accuracy. */
typedef struct pleiad_solver pleiad_solver;

/* Makes a solver. The options must be those of pleiad_force_defaults, with changes. */
pleiad_status pleiad_solver_new(const pleiad_force_options* options, pleiad_solver** solver);
/* Computes the accelerations of n bodies by each other. positions and accelerations have 3 n numbers, masses
 * n, potentials n; potentials may be NULL. PLEIAD_INPUT for numbers that are not finite, or negative masses.
 */
pleiad_status pleiad_solver_accelerations(pleiad_solver* solver, size_t n, const double* positions,
                                          const double* masses, double* accelerations, double* potentials);
/* Computes the accelerations at n_targets points, which exert no force, by n bodies. targets and
 * accelerations have 3 n_targets numbers, potentials (may be NULL) n_targets. */
pleiad_status pleiad_solver_accelerations_at(pleiad_solver* solver, size_t n_targets, const double* targets,
                                             size_t n, const double* positions, const double* masses,
                                             double* accelerations, double* potentials);
/* Returns the method of the last call; the text is valid until the next call of this solver. */
const char* pleiad_solver_kernel(const pleiad_solver* solver);
/* Frees a solver; NULL is allowed. */
void pleiad_solver_free(pleiad_solver* solver);

/* Computes accelerations once, without a solver: see pleiad_solver_accelerations. */
pleiad_status pleiad_accelerations(size_t n, const double* positions, const double* masses,
                                   const pleiad_force_options* options, double* accelerations,
                                   double* potentials);

#ifdef __cplusplus
}
#endif
#endif
