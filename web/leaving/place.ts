import { useSyncExternalStore } from 'react'
import type { AroundNavHandler, BaseLocationHook } from 'wouter'
import { hasUnsaved, whenLeft } from './unsaved.ts'

/**
 * Where the reader is. It stands beside `location`: the browser has gone back already when it tells so,
 * and the screen stays until the reader agreed to leave it.
 */
let place = { pathname: location.pathname, search: location.search }
let isReturning = false
const listeners = new Set<() => void>()

interface NumberedState {
  /** The number of the entry in the history of this tab. */
  readonly at?: number
}

function numberOf(state: unknown): number | undefined {
  return (state as NumberedState | null)?.at
}

let at = numberOf(history.state) ?? 0
history.replaceState({ ...history.state, at }, '')

function arrive(): void {
  place = { pathname: location.pathname, search: location.search }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function isElsewhere({ pathname, search }: { readonly pathname: string; readonly search: string }): boolean {
  return pathname !== place.pathname || search !== place.search
}

addEventListener('popstate', ({ state }) => {
  const number = numberOf(state) ?? at - 1
  if (isReturning) {
    isReturning = false
    return
  }
  if (!hasUnsaved() || !isElsewhere(location) || number === at) {
    at = number
    arrive()
    return
  }
  const steps = number - at
  isReturning = true
  history.go(-steps)
  void whenLeft(() => history.go(steps))
})

function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  at = replace ? at : at + 1
  history[replace ? 'replaceState' : 'pushState']({ at }, '', to)
  arrive()
}

/** The place of the router: it changes when the reader has agreed to leave. */
export const usePlace: BaseLocationHook = Object.assign(
  (): [string, typeof navigate] => [useSyncExternalStore(subscribe, () => place.pathname), navigate],
  { searchHook: () => useSyncExternalStore(subscribe, () => place.search) },
)

/** Every navigation of the console goes through here: links, the palette, keys and scripts. */
export const askFirst: AroundNavHandler = (go, to, options) => {
  if (isElsewhere(new URL(to, location.href))) void leave()
  else go(to, options)
  function leave(): unknown {
    return hasUnsaved() ? whenLeft(() => go(to, options)) : go(to, options)
  }
}
