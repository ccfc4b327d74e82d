import { useEffect, useRef, useState } from 'react'
import type { Sent } from '../../api/bodies.ts'
import { readLines } from '../../api/client.ts'

export type DegradedReason = 'slow' | 'certificate' | 'domain' | 'assertion' | 'minority'

/** One station's answer; no station checks a domain. */
export interface TrialCheck {
  readonly sensor_id: number | null
  readonly result: 'ok' | 'error' | 'unknown'
  readonly response_time: number | null
  readonly error_type_id: number | null
  readonly error_message: string | null
  readonly degraded_reasons: readonly DegradedReason[]
  readonly expires_at: string | null
  readonly details?: {
    readonly facts: Readonly<Record<string, unknown>>
    readonly phases: Readonly<Record<string, number | null>>
  }
}

export interface TrialVerdict {
  readonly verdict: 'ok' | 'failure' | 'none'
  readonly degraded_reasons: readonly DegradedReason[]
}

/** idle: none was asked for; cut: the connection ended before the verdict. */
export type TrialState = 'idle' | 'running' | 'done' | 'cancelled' | 'cut'

export interface Trial {
  readonly state: TrialState
  readonly checks: readonly TrialCheck[]
  readonly verdict: TrialVerdict['verdict'] | null
  readonly reasons: readonly DegradedReason[]
  readonly error: unknown
}

const idle: Trial = { state: 'idle', checks: [], verdict: null, reasons: [], error: null }

/** Asks the stations about a definition that is not saved; their answers come one by one. It ends with the screen. */
export function useTrial() {
  const [trial, setTrial] = useState<Trial>(idle)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const start = async (body: Sent<'POST', '/services/trial'>) => {
    running.current?.abort()
    const mine = new AbortController()
    running.current = mine
    const change = (part: (before: Trial) => Partial<Trial>) => {
      if (running.current === mine) setTrial((before) => ({ ...before, ...part(before) }))
    }
    setTrial({ ...idle, state: 'running' })
    try {
      for await (const line of readLines('/services/trial', body, mine.signal)) {
        if ('verdict' in line) change(() => ({ verdict: line.verdict, reasons: line.degraded_reasons, state: 'done' }))
        else change(({ checks }) => ({ checks: [...checks, line] }))
      }
      change(({ state }) => (state === 'running' ? { state: 'cut' } : {}))
    } catch (error) {
      if (mine.signal.aborted) change(() => ({ state: 'cancelled' }))
      // The connection broke while answers came.
      else if (error instanceof TypeError) change(() => ({ state: 'cut' }))
      else change(() => ({ state: 'idle', error }))
    }
  }
  return {
    trial,
    start: (body: Sent<'POST', '/services/trial'>) => void start(body),
    cancel: () => running.current?.abort(),
    forget: () => {
      running.current?.abort()
      running.current = null
      setTrial(idle)
    },
  }
}
