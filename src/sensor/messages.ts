import type { SettingValue } from '../domain/services/service-types.ts'
import type { Allowed } from '../outgoing/screen.ts'
import type { FoundBrowser } from './browser/find-browser.ts'
import type { PingWay } from './ping/pinger.ts'
import type { CheckJob, CheckResult, DiagnosticJob, DiagnosticResult } from './protocol.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogFacts = Readonly<Record<string, SettingValue>>

/** A job or a result, with the number that pairs them. */
export type Numbered<T> = readonly [number, T]

/** The browser's configuration for a process that checks pages. */
export interface BrowserOrder {
  readonly found: FoundBrowser
  /** Where a bundled browser is unpacked. */
  readonly directory: string
  readonly isSandboxed: boolean
}

export type ToProcess =
  | { readonly kind: 'start'; readonly allow: Allowed; readonly browser: BrowserOrder | null }
  | { readonly kind: 'jobs'; readonly jobs: readonly Numbered<CheckJob>[] }
  | { readonly kind: 'diagnose'; readonly job: Numbered<DiagnosticJob> }

/** The use of the places for pages. */
export interface PlacesUse {
  readonly taken: number
  readonly free: number
  readonly waiting: number
}

/** The resource use of a process, and its free places. */
export interface ProcessLoad {
  readonly cpuSeconds: number
  readonly residentBytes: number
  /** Null if no pages are checked. */
  readonly places: PlacesUse | null
}

export type FromProcess =
  /** The process runs but does not know yet which addresses it may dial. */
  | { readonly kind: 'hello' }
  | { readonly kind: 'ready'; readonly pingWay: PingWay }
  | { readonly kind: 'alive'; readonly load: ProcessLoad }
  /** A browser began or ended. The parent ends the browser if this process dies first. */
  | { readonly kind: 'browser'; readonly processId: number; readonly isRunning: boolean }
  | { readonly kind: 'results'; readonly results: readonly Numbered<CheckResult>[] }
  | { readonly kind: 'diagnosis'; readonly result: Numbered<DiagnosticResult> }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly message: string; readonly facts: LogFacts }

/** The process reports this often that its loop still runs. */
export const heartbeatMs = 1000

/** In a stream each message holds at least this many items. */
const streamItems = 8

/** How long items are collected: one that comes alone, and a stream of them, where nobody waits for a single one. */
export interface Gathering {
  readonly aloneMs: number
  readonly streamMs: number
}

/** Collects items for a moment and passes them on together, because a message costs more than its content. */
export function createBatch<T>(
  delay: number | Gathering | ((item: T) => number),
  pass: (items: readonly T[]) => void,
): (item: T) => void {
  let items: T[] = []
  let isStream = false
  let timer: NodeJS.Timeout | undefined
  let endsAt = Number.POSITIVE_INFINITY
  const delayOf = (item: T): number => {
    if (typeof delay === 'number') return delay
    if (typeof delay === 'function') return delay(item)
    return isStream ? delay.streamMs : delay.aloneMs
  }
  const end = (): void => {
    const batch = items
    items = []
    endsAt = Number.POSITIVE_INFINITY
    isStream = batch.length >= streamItems
    pass(batch)
  }
  return (item) => {
    items.push(item)
    const delayMs = delayOf(item)
    const at = performance.now() + delayMs
    // The most urgent item decides.
    if (at >= endsAt) return
    clearTimeout(timer)
    endsAt = at
    timer = setTimeout(end, delayMs)
  }
}
