release/sim/xarray.o: sim/xarray.c sim/xarray.h sim/types.h
sim/xarray.h:
sim/types.h:
