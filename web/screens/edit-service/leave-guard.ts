import { useEffect } from 'react'

/** The place of the present entry in the history of the tab, where the browser tells it. */
function placeInHistory(): number | null {
  const { navigation } = window as { navigation?: { currentEntry?: { index: number } | null } }
  return navigation?.currentEntry?.index ?? null
}

/**
 * Asks before what was typed is left: by a link of the console, by Back and Forward, and by closing or reloading the page. Back cannot be
 * stopped: the browser has gone there already, and is sent back again before anybody else hears of it.
 */
export function useLeaveGuard(isDirty: boolean, question: string): void {
  useEffect(() => {
    if (!isDirty) return
    const here = placeInHistory()
    let isReturning = false
    const unloading = (event: BeforeUnloadEvent) => event.preventDefault()
    const travelled = (event: PopStateEvent) => {
      if (isReturning) {
        isReturning = false
        event.stopImmediatePropagation()
        return
      }
      if (window.confirm(question)) return
      event.stopImmediatePropagation()
      isReturning = true
      const there = placeInHistory()
      history.go(here === null || there === null ? 1 : here - there)
    }
    const clicked = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || link?.getAttribute('target') === '_blank'
      if (link === null || isElsewhere || window.confirm(question)) return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('beforeunload', unloading)
    window.addEventListener('popstate', travelled, true)
    document.addEventListener('click', clicked, true)
    return () => {
      window.removeEventListener('beforeunload', unloading)
      window.removeEventListener('popstate', travelled, true)
      document.removeEventListener('click', clicked, true)
    }
  }, [isDirty, question])
}
