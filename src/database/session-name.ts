import sql from 'sql-template-tag'

/** What a row of pg_stat_activity is called here: a pid is given out again, but not with the same beginning. */
export const sessionName = sql`pid || '@' || extract(epoch from backend_start)`

/** What the session that asks is called. */
export const ownSessionName = sql`select ${sessionName} as session from pg_stat_activity where pid = pg_backend_pid()`
