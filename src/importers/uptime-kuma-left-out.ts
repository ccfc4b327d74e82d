import type { Item } from './draft.ts'
import type { Row } from './row.ts'

/** Columns of monitors that Latarnik has no setting for, with the value that says nothing. */
const columns: Readonly<Record<string, string | null>> = {
  grpc_metadata: null,
  ntp_root_dispersion_threshold: '500',
  oauth_audience: null,
  ping_count: '1',
  retry_only_on_status_code_failure: '0',
  screenshot_delay: '0',
  ws_ignore_sec_websocket_accept_header: '0',
}

/** Tells in the report which settings of a monitor are not carried. */
export function tellLeftOut(item: Item, monitor: Row): void {
  const left = Object.entries(columns)
    .filter(([name, usual]) => monitor.has(name) && monitor.text(name) !== usual)
    .map(([name]) => name)
  if (left.length > 0) item.change(`Left out: ${left.join(', ')}.`)
}
