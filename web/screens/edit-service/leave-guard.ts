import { useEffect } from 'react'

/** Asks before what was typed is left: by a link of the console, and by closing or reloading the page. */
export function useLeaveGuard(isDirty: boolean, question: string): void {
  useEffect(() => {
    if (!isDirty) return
    const unloading = (event: BeforeUnloadEvent) => event.preventDefault()
    const clicked = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || link?.getAttribute('target') === '_blank'
      if (link === null || isElsewhere || window.confirm(question)) return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('beforeunload', unloading)
    document.addEventListener('click', clicked, true)
    return () => {
      window.removeEventListener('beforeunload', unloading)
      document.removeEventListener('click', clicked, true)
    }
  }, [isDirty, question])
}
