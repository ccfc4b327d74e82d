import { pathWith } from './address.ts'
import type { Schemas } from './operations.ts'
import { ProblemError } from './problem-error.ts'
import { blocksOf } from './streams.ts'
import { pause, type Send } from './transport.ts'

interface EventData {
  readonly service_status: Schemas['service_statuses']
  readonly status_change: Schemas['status_changes']
  readonly notification: Schemas['logs_notifications']
  readonly report: Schemas['reports']
  readonly sensor: Schemas['sensors']
  /** Too much was missed: read your data again. */
  readonly reset: unknown
}

/** An event, with the object as the API shows it. */
export type StreamEvent = {
  readonly [Name in keyof EventData]: {
    readonly event: Name
    readonly data: EventData[Name]
    /** For `lastEventId`. */
    readonly id: string | null
  }
}[keyof EventData]

export interface EventOptions {
  /** Only events of services in these groups. */
  readonly groupIds?: readonly number[]
  /** Only events of services with one of these tags. */
  readonly tags?: readonly string[]
  /** The last event that was handled, at most five minutes ago. */
  readonly lastEventId?: string
  readonly signal?: AbortSignal
}

const firstPauseMs = 1000
const longestPauseMs = 10_000

/** Whether listening again is of no use: the login or the filter is wrong. */
function isFinal(error: unknown): boolean {
  return error instanceof ProblemError && error.status < 500 && error.status !== 429
}

/** Events as they happen. A stream that breaks off resumes where it was. */
export async function* eventsOf(send: Send, options: EventOptions): AsyncGenerator<StreamEvent> {
  const { groupIds, tags, signal } = options
  const path = pathWith('/event_stream', { query: { group_id: groupIds, tags } })
  let place = options.lastEventId
  let pauseMs = firstPauseMs
  for (;;) {
    try {
      const from = place === undefined ? {} : { 'Last-Event-ID': place }
      const response = await send('GET', path, { signal, headers: { Accept: 'text/event-stream', ...from } })
      pauseMs = firstPauseMs
      for await (const { event, data, id } of blocksOf(response)) {
        place = id ?? place
        if (event !== '') yield { event, data: JSON.parse(data), id } as StreamEvent
      }
    } catch (error) {
      if (signal?.aborted || isFinal(error)) throw error
    }
    await pause(pauseMs * (0.5 + Math.random() / 2), signal)
    pauseMs = Math.min(longestPauseMs, pauseMs * 2)
  }
}
