/** The response time of the last analysis with a good check, in milliseconds; null before the first one. */
export const lastResponseTimes = `
alter table service_statuses add column last_response_time integer;
`
