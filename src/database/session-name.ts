import sql from 'sql-template-tag'

/** The name of a row of pg_stat_activity. A pid is reused, but never with the same start. */
export const sessionName = sql`pid || '@' || extract(epoch from backend_start)`

/** Ends the names under which the server lists the sessions that hear notifications: one for each process. */
export const listeningSuffix = ' listening'

/** The name of the current session. */
export const ownSessionName = sql`select ${sessionName} as session from pg_stat_activity where pid = pg_backend_pid()`
