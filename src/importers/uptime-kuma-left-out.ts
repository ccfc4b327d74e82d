import type { Item } from './draft.ts'
import type { Row } from './row.ts'

/** Columns that Latarnik has no setting for, with the value that says nothing. */
type Columns = Readonly<Record<string, string | null>>

const ofMonitors: Columns = {
  grpc_metadata: null,
  ntp_root_dispersion_threshold: '500',
  oauth_audience: null,
  ping_count: '1',
  retry_only_on_status_code_failure: '0',
  save_response: '0',
  screenshot_delay: '0',
  ws_ignore_sec_websocket_accept_header: '0',
}

const ofPages: Columns = {
  ...{ icon: '/icon.svg', password: null, analytics_id: null, analytics_script_url: null, rss_title: null },
  ...{
    show_tags: '0',
    show_certificate_expiry: '0',
    show_only_last_heartbeat: '0',
    custom_css: null,
    footer_text: null,
  },
}

function tell(item: Item, row: Row, columns: Columns): void {
  const left = Object.entries(columns)
    .filter(([name, usual]) => row.has(name) && row.text(name) !== usual)
    .map(([name]) => name)
  if (left.length > 0) item.change(`Left out: ${left.join(', ')}.`)
}

/** Types whose conditions decide there, and are not read here. */
const judgedByConditions = new Set(['mqtt', 'mysql', 'postgres'])

/** Tells in the report which settings of a monitor are not carried. */
export function tellLeftOut(item: Item, monitor: Row): void {
  tell(item, monitor, ofMonitors)
  if (judgedByConditions.has(monitor.text('type') ?? '') && monitor.rows('conditions').length > 0)
    item.change('The conditions on its result are left out.')
}

/** The same of a status page. */
export function tellPageLeftOut(item: Item, page: Row): void {
  tell(item, page, ofPages)
}

const others = {
  ...{ proxy: 'proxies', docker_host: 'Docker hosts', remote_browser: 'remote browsers', api_key: 'keys of the API' },
  user: 'users',
}

/** Tables that hold nothing for a configuration, but that somebody may miss. */
export const otherTables = Object.keys(others)

/** A sentence about them; null: there is nothing in them. */
export function othersLeftOut(rows: (table: string) => readonly Row[]): string | null {
  const found = Object.entries(others)
    .filter(([table]) => rows(table).length > 0)
    .map(([table, words]) => `${words} (${rows(table).length})`)
  return found.length === 0 ? null : `Left out, because no object of a configuration is the same: ${found.join(', ')}.`
}
