import sql from 'sql-template-tag'
import type {
  AddressOffKind,
  FarewellKind,
  GatewayLetterKind,
  LetterKind,
  SecurityKind,
  SensorLetterKind,
  SmsLimitKind,
  UncheckedKind,
} from '../domain/notification/letter.ts'
import type { Executor } from './connect.ts'

/**
 * Messages that wait for delivery, in the order of their queue: account mails, reports, periodic reports, and those to
 * subscribers of status pages.
 */
export type Queue = 'letter' | 'report' | 'periodic_report' | 'subscriber_mail' | 'subscriber_hook'

type AccountMailKind = LetterKind | FarewellKind | UncheckedKind | SmsLimitKind | AddressOffKind | SecurityKind

interface ToAddress {
  readonly address: string
}

export type NewMessage = ToAddress &
  (
    | {
        readonly kind: AccountMailKind
        readonly account_id: number
        readonly facts?: object
        readonly token?: string
        readonly expires_at?: Date
      }
    | { readonly kind: SensorLetterKind; readonly sensor_id: number; readonly facts: object }
    | { readonly kind: GatewayLetterKind; readonly gateway_id: string; readonly facts: object }
    | { readonly kind: 'report'; readonly report_id: number }
    | { readonly kind: 'periodic_report'; readonly periodic_report_id: number }
  )

function queueOf({ kind }: NewMessage): Queue {
  return kind === 'report' || kind === 'periodic_report' ? kind : 'letter'
}

/**
 * Puts messages into the outbox. Call it in the transaction of their cause. A report is mailed to an address once,
 * however often it is requested. `now` in Unix milliseconds.
 */
export async function enqueue(transaction: Executor, messages: readonly NewMessage[], now: number): Promise<void> {
  if (messages.length === 0) return
  const rows = JSON.stringify(messages.map((message) => ({ ...message, queue: queueOf(message) })))
  const written = await transaction.execute(sql`
    insert into messages (queue, kind, address, account_id, sensor_id, gateway_id, report_id, periodic_report_id, facts, token, created_at,
      expires_at, next_attempt_at)
    select queue, kind, address, account_id, sensor_id, gateway_id, report_id, periodic_report_id, facts, token, ${new Date(now)}::timestamptz,
      expires_at, ${new Date(now)}::timestamptz
    from jsonb_to_recordset(${rows}::jsonb) as message (queue text, kind text, address text, account_id integer, sensor_id integer,
      gateway_id text, report_id integer, periodic_report_id integer, facts jsonb, token text, expires_at timestamptz)
    on conflict do nothing`)
  if (written > 0) await transaction.execute(sql`select pg_notify('notifications', '')`)
}
