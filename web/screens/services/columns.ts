/** Columns of the table in their order; `width` as a track of the grid. Name and state stay. */
export const columns = [
  { id: 'select', sort: null, width: '1.25rem', canHide: false },
  { id: 'state', sort: 'status.summary', width: '7.5rem', canHide: false },
  { id: 'name', sort: 'name', width: 'minmax(9rem, 3fr)', canHide: false },
  { id: 'type', sort: 'type_id', width: 'minmax(6rem, 1.25fr)', canHide: true },
  { id: 'group', sort: 'group.name', width: 'minmax(5.5rem, 1.25fr)', canHide: true },
  { id: 'interval', sort: 'interval', width: '4rem', canHide: true },
  { id: 'response', sort: 'status.last_response_time', width: '5.5rem', canHide: true },
  { id: 'changed', sort: 'status.last_check_status_change_time', width: '7rem', canHide: true },
  { id: 'expires', sort: 'expires_at', width: '6.5rem', canHide: true },
  { id: 'bars', sort: null, width: 'minmax(3rem, 1.5fr)', canHide: true },
] as const

export type Column = (typeof columns)[number]

/** A read-only user selects nothing. */
export function shownColumns(hidden: readonly string[], maySelect: boolean): readonly Column[] {
  return columns.filter(({ id, canHide }) => (id === 'select' ? maySelect : !canHide || !hidden.includes(id)))
}
