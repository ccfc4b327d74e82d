import { useSyncExternalStore } from 'react'
import { keepConnected } from './connection.ts'
import { leadInOneTab } from './leadership.ts'

/** How it stands with the event stream of this browser. */
export interface LiveState {
  readonly isConnected: boolean
  /**
   * The last arrival before the connection was lost; Unix milliseconds. Null while there is a connection, and before
   * the first one.
   */
  readonly lostSince: number | null
}

export type LiveListener = (event: string, data: unknown) => void

type Message =
  | { readonly kind: 'event'; readonly event: string; readonly data: unknown }
  | { readonly kind: 'place'; readonly place: string }
  | { readonly kind: 'state'; readonly state: LiveState }
  | { readonly kind: 'hello' }

const listeners = new Set<LiveListener>()
const watchers = new Set<() => void>()
let state: LiveState = { isConnected: false, lostSince: null }

function believe(next: LiveState): void {
  state = next
  for (const watcher of watchers) watcher()
}

function hear(event: string, data: unknown): void {
  for (const listener of listeners) listener(event, data)
}

export function onLive(listener: LiveListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Follows the events of an account in this tab: one tab of the browser reads them for all. Returns the way to stop. */
export function startLive(accountId: number): () => void {
  const channel = new BroadcastChannel(`latarnik live ${accountId}`)
  let isLeading = false
  let heardAt = Date.now()
  /** Another tab goes on where this one was. */
  let place: string | null = null
  const tell = (message: Message) => channel.postMessage(message)
  const change = (next: LiveState) => {
    believe(next)
    tell({ kind: 'state', state: next })
  }
  channel.onmessage = ({ data: message }: MessageEvent<Message>) => {
    if (message.kind === 'event') hear(message.event, message.data)
    else if (message.kind === 'place') place = message.place
    else if (message.kind === 'state') believe(message.state)
    else if (isLeading) {
      tell({ kind: 'state', state })
      if (place !== null) tell({ kind: 'place', place })
    }
  }
  const handlers = {
    place: () => place,
    reached(to: string) {
      place = to
      tell({ kind: 'place', place: to })
    },
    event(event: string, data: unknown) {
      heardAt = Date.now()
      hear(event, data)
      tell({ kind: 'event', event, data })
    },
    up() {
      if (state.lostSince !== null) this.event('reset', {})
      // Covers changes between the first answers and the first event.
      else if (place === null) this.event('begun', {})
      heardAt = Date.now()
      change({ isConnected: true, lostSince: null })
    },
    down() {
      change({ isConnected: false, lostSince: state.lostSince ?? heardAt })
    },
  }
  const stop = leadInOneTab(`latarnik live ${accountId}`, async (signal) => {
    isLeading = true
    await keepConnected(handlers, signal)
    isLeading = false
  })
  tell({ kind: 'hello' })
  return () => {
    stop()
    channel.close()
  }
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(watch, () => state)
}

/** With events a look once in a while is enough, for what no event tells: the times of the last analyses. */
const calmMs = 60_000

/** How often to ask again for what events tell of: as ever while there are none. */
export function usePace(everyMs: number): number {
  return useLiveState().isConnected ? Math.max(everyMs, calmMs) : everyMs
}
