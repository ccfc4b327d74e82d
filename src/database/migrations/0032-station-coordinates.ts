/** The positions of stations: both numbers or neither. */
export const stationCoordinates = `
alter table sensors
  add column latitude double precision check (latitude between -90 and 90),
  add column longitude double precision check (longitude between -180 and 180),
  add constraint sensors_whole_place check ((latitude is null) = (longitude is null));
`
