/** A button that is switched off while its change is under way has the focus again after it. Milliseconds. */
const patience = 1500

/** The elements that a reader works with, except in rows of lists, which come and go as one scrolls. */
const tools = 'button, input, select, textarea, summary'

type Tool = HTMLButtonElement

/**
 * Keeps the focus near its place when the button or field that had it is gone or switched off; the browser would begin
 * at the top of the page again. A field of the same form comes first, then the heading of what is around. The result
 * ends it.
 */
export function keepFocus(root: HTMLElement): () => void {
  let last: { readonly tool: Tool; readonly around: readonly Element[] } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const remember = ({ target }: FocusEvent) => {
    const isTool = target instanceof HTMLElement && target.matches(tools) && target.closest('[data-row]') === null
    last = isTool ? { tool: target as Tool, around: ancestors(target, root) } : null
    clearTimeout(timer)
  }
  const settle = () => {
    if (last === null || !isLost(last.tool)) return
    placeFor(last.tool, last.around)?.focus({ preventScroll: last.tool.isConnected })
  }
  const look = () => {
    if (last === null || !isLost(last.tool)) return
    clearTimeout(timer)
    const { tool } = last
    if (tool.isConnected && !tool.disabled) tool.focus({ preventScroll: true })
    // A dialog that has closed gives the focus back itself, and a new screen takes it.
    else timer = setTimeout(settle, tool.isConnected && tool.form === null ? patience : 0)
  }
  const observer = new MutationObserver(look)
  observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled'] })
  root.addEventListener('focusin', remember)
  return () => {
    clearTimeout(timer)
    observer.disconnect()
    root.removeEventListener('focusin', remember)
  }
}

/** Whether nothing else has the focus. A browser takes it from a disabled button only with the next frame. */
function isLost(tool: Tool): boolean {
  const active = document.activeElement
  return active === null || active === document.body || (active === tool && tool.disabled)
}

function ancestors(element: Element, root: Element): readonly Element[] {
  const around: Element[] = []
  for (let at = element.parentElement; at !== null && at !== root; at = at.parentElement) around.push(at)
  return [...around, root]
}

function placeFor(tool: Tool, before: readonly Element[]): HTMLElement | null {
  if (tool.isConnected && !tool.disabled) return tool
  const field = [...(tool.form?.elements ?? [])].find((one) => one.matches(':enabled') && !one.matches('fieldset'))
  if (tool.isConnected && field instanceof HTMLElement) return field
  const near = before.find((one) => one.isConnected)
  const around = 'section, dialog, main'
  for (let at = near?.closest(around); at != null; at = at.parentElement?.closest(around)) {
    const heading = at.querySelector<HTMLElement>('h1, h2, h3')
    if (heading === null) continue
    heading.tabIndex = -1
    return heading
  }
  return null
}
