/* A GPU at bus "sick" with errors that ECC could not correct, hot and slowed down; one at "plain" that tells
 * nothing. */
/* SPDX-FileCopyrightText: Pleiad contributors */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

enum { success = 0, not_supported = 3, not_found = 6 };
static int sick;

int nvmlInit_v2(void) { return success; }
int nvmlShutdown(void) { return success; }
int nvmlSystemGetDriverVersion(char* text, unsigned length) {
  snprintf(text, length, "580.82.07");
  return success;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** device) {
  *device = strcmp(bus, "sick") == 0 ? (void*)&sick : NULL;
  return strcmp(bus, "sick") == 0 || strcmp(bus, "plain") == 0 ? success : not_found;
}
int nvmlDeviceGetEccMode(void* device, unsigned* now, unsigned* later) {
  *now = 1, *later = 0;
  return device == &sick ? success : not_supported;
}
int nvmlDeviceGetTotalEccErrors(void* device, int kind, int period, unsigned long long* count) {
  *count = 10ULL * (unsigned)kind + (unsigned)period + 1;
  return device == &sick ? success : not_supported;
}
int nvmlDeviceGetTemperature(void* device, int sensor, unsigned* celsius) {
  *celsius = 88;
  return device == &sick && sensor == 0 ? success : not_supported;
}
int nvmlDeviceGetClockInfo(void* device, int clock, unsigned* megahertz) {
  *megahertz = 345;
  return device == &sick && clock == 1 ? success : not_supported;
}
int nvmlDeviceGetMaxClockInfo(void* device, int clock, unsigned* megahertz) {
  *megahertz = 1980;
  return device == &sick && clock == 1 ? success : not_supported;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* reasons) {
  *reasons = 0x1 | 0x4 | 0x40;
  return device == &sick ? success : not_supported;
}
