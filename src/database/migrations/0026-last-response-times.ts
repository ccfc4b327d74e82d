/** How long the last analysis with a good check took, in milliseconds; null while there was none. */
export const lastResponseTimes = `
alter table service_statuses add column last_response_time integer;
`
