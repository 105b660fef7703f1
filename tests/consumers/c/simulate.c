/* A cluster from C: simulated, stopped, saved, continued; and its accelerations by a solver. */
/* SPDX-FileCopyrightText: Pleiad contributors
 * SPDX-License-Identifier: Apache-2.0 */
#include <pleiad/pleiad.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 500 };

static void check(pleiad_status status) {
  if (status == PLEIAD_OK) return;
  fprintf(stderr, "%s\n", pleiad_last_error());
  exit(status);
}

static int until_step_20(double time, uint64_t step, void* user) {
  (void)time;
  *(uint64_t*)user = step;
  return step < 20;
}

int main(void) {
  const char* names[] = {"n"};
  const double values[] = {n};
  pleiad_bodies* start;
  check(pleiad_bodies_model("plummer", 1, names, values, 7, &start));

  pleiad_simulation_options how;
  pleiad_simulation_defaults(&how);
  how.softening = 0.05;
  how.dt = 1.0 / 64;
  pleiad_simulation* simulation;
  check(pleiad_simulation_new(start, &how, &simulation));
  uint64_t step = 0;
  if (pleiad_simulation_run_until(simulation, 1, until_step_20, &step) != PLEIAD_STOPPED || step < 20)
    return 1;
  check(pleiad_simulation_save(simulation, "."));
  pleiad_simulation_free(simulation);
  check(pleiad_simulation_load(".", 0, &simulation));
  check(pleiad_simulation_run_until(simulation, 1, NULL, NULL));

  static double x[3 * n], a[3 * n], mass[n], found[3 * n];
  double error;
  check(pleiad_simulation_energy(simulation, NULL, NULL, &error));
  check(pleiad_simulation_copy(simulation, x, NULL));
  check(pleiad_simulation_accelerations(simulation, a, NULL));
  check(pleiad_bodies_copy(start, mass, NULL, NULL));
  printf("t = %g, energy error %g\n", pleiad_simulation_time(simulation), error);

  pleiad_force_options law;
  pleiad_force_defaults(&law);
  law.softening = how.softening;
  check(pleiad_accelerations(n, x, mass, &law, found, NULL));
  for (int k = 0; k < 3 * n; ++k)
    if (fabs(found[k] - a[k]) > 1e-5 * (1 + fabs(a[k]))) return 1;

  pleiad_bodies* last;
  check(pleiad_simulation_bodies(simulation, &last));
  check(pleiad_bodies_write(last, "last.hdf5"));
  if (pleiad_bodies_read("nowhere.hdf5", &last) == PLEIAD_OK) return 1;
  printf("as it should be: %s\n", pleiad_last_error());
  pleiad_bodies_free(last);
  pleiad_bodies_free(start);
  pleiad_simulation_free(simulation);
  return fabs(error) < 1e-2 ? 0 : 1;
}
