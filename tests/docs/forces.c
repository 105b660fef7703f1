/* What stands around the C of docs/library.md.
 * SPDX-FileCopyrightText: Pleiad contributors
 * SPDX-License-Identifier: Apache-2.0 */
#include <pleiad/pleiad.h>

#include <stdio.h>

int main(void) {
  const size_t n = 2;
  const double positions[] = {0, 0, 0, 1, 0, 0}, masses[] = {1, 2};
  double accelerations[6] = {0};
  // the snippet
  return accelerations[0] > 1.9 && accelerations[3] < -0.9 ? 0 : 1;
}
