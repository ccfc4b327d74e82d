import type { Frame } from 'playwright-core'
import type { Selector } from '../../domain/services/scenario.ts'
import { errorText } from '../../domain/text/error-text.ts'
import { Failure } from '../../outgoing/failure.ts'
import { elementsByName } from './aria.ts'
import { type FoundElement, foundByDriver } from './found-element.ts'
import { type ElementState, isBelow, lookAt } from './in-page.ts'
import { type Act, type Performance, poll } from './stage.ts'

/** Elements are examined one by one, so their number is limited. */
const mostElements = 50
const invalid = /while parsing|is not a valid (selector|XPath)|Unknown engine|Unsupported|unexpected/i

export interface SeenElement {
  readonly element: FoundElement
  readonly look: ElementState
}

/** The first visible element, by the first selector that finds one; waits for it. */
export async function findElement(act: Act, selectors: readonly Selector[]): Promise<SeenElement> {
  const { performance, frame } = act
  let reason = ''
  const found = await poll(act, async () => {
    for (const selector of selectors) {
      const { elements, fault } = await elementsOf(performance, frame, selector)
      if (fault !== null) reason = `; ${fault}`
      const seen = await firstVisible(elements)
      if (seen !== null) return seen
      if (elements.length > 0) reason = '; it is there, but not to be seen'
    }
    return null
  })
  if (found === null) throw new Failure('scenario_element_missing', `no element ${written(selectors)}${reason}`)
  return found
}

/** All elements of the first selector that finds any, without waiting. */
export async function findAll(
  { performance, frame }: Act,
  selectors: readonly Selector[],
): Promise<readonly FoundElement[]> {
  for (const selector of selectors) {
    const { elements } = await elementsOf(performance, frame, selector)
    if (elements.length > 0) return elements
  }
  return []
}

export function written(selectors: readonly Selector[]): string {
  return selectors
    .map((selector) => (typeof selector === 'string' ? selector : selector.join(' >> ')))
    .join(' | ')
    .slice(0, 300)
}

async function firstVisible(elements: readonly FoundElement[]): Promise<SeenElement | null> {
  for (const element of elements.slice(0, mostElements)) {
    // The element left the page between two questions; the search repeats until the step's time is up.
    const look = await element.ask(lookAt, null).catch(() => null)
    if (look?.isVisible === true) return { element, look }
  }
  return null
}

interface Found {
  readonly elements: readonly FoundElement[]
  /** The fault of the selector itself. */
  readonly fault: string | null
}

/** Each part of a list is searched within the results of the part before, shadow trees included. */
async function elementsOf(performance: Performance, frame: Frame, selector: Selector): Promise<Found> {
  const [first = '', ...rest] = typeof selector === 'string' ? [selector] : selector
  try {
    let elements = await search(performance, frame, frame, first)
    for (const part of rest) {
      const inner: FoundElement[] = []
      for (const element of elements.slice(0, mostElements))
        inner.push(...(await search(performance, frame, element, part)))
      elements = inner
    }
    return { elements, fault: null }
  } catch (error) {
    // Any other error means that the page is just being replaced, and a repetition will succeed. A frame may have got
    // another process.
    performance.sessions.delete(frame)
    const text = errorText(error).split('\n')[0] ?? ''
    return { elements: [], fault: invalid.test(text) ? text : null }
  }
}

async function search(
  performance: Performance,
  frame: Frame,
  root: Frame | FoundElement,
  part: string,
): Promise<FoundElement[]> {
  const { kind, rest } = kindOf(part)
  if (kind === 'aria') {
    const named = await elementsByName(performance, frame, rest)
    return 'handle' in root ? below(root, named) : named
  }
  const base = 'handle' in root ? await root.handle() : root
  return (await base.$$(driverSelector(kind, rest, base === frame))).map(foundByDriver)
}

function kindOf(part: string): { readonly kind: string; readonly rest: string } {
  const match = /^(aria|css|xpath|text|pierce)\/([\s\S]*)$/.exec(part)
  return match === null ? { kind: 'css', rest: part } : { kind: match[1] ?? 'css', rest: match[2] ?? '' }
}

/**
 * The driver's form of the selector. CSS for a whole page does not look into shadow trees; `pierce`, and CSS below a
 * host, do. Text matches any part of the smallest element's text, with regard to case.
 */
export function driverSelector(kind: string, rest: string, isWholePage: boolean): string {
  if (kind === 'xpath') return `xpath=${rest}`
  if (kind === 'text')
    return `text=/${rest
      .trim()
      .replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
      .replaceAll(/\s+/g, '\\s+')}/`
  return kind === 'css' && isWholePage ? `css:light=${rest}` : `css=${rest}`
}

/** Keeps the elements below the ancestor, shadow trees included. */
async function below(ancestor: FoundElement, elements: readonly FoundElement[]): Promise<FoundElement[]> {
  const above = await ancestor.handle()
  const inner: FoundElement[] = []
  for (const element of elements) {
    const handle = await element.handle()
    if (await handle.evaluate(isBelow, above)) inner.push(element)
  }
  return inner
}
