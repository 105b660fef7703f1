/* Ends with 0 where the linked library is that of the headers. */
#include <hdf5.h>

int main(void) {
  unsigned major = 0, minor = 0, release = 0;
  return H5get_libversion(&major, &minor, &release) < 0 || major != H5_VERS_MAJOR || minor != H5_VERS_MINOR;
}
