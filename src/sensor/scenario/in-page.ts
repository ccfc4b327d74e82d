/**
 * Functions that run in the page: each is sent there as text, so it may use nothing from around it, and has no named functions
 * within (some compilers mark those with a function of their own). The types are the little of the page that they touch; the
 * program itself knows no document.
 */

export interface PageElement {
  readonly localName: string
  readonly isContentEditable?: boolean
  readonly type?: string
  readonly parentNode: PageElement | null
  /** Of a shadow root. */
  readonly host?: PageElement
  value?: string
  getBoundingClientRect(): { readonly width: number; readonly height: number }
  checkVisibility(how: { readonly visibilityProperty: true }): boolean
  getAttribute(name: string): string | null
  dispatchEvent(event: Event): boolean
  scrollTo(place: ScrollPlace): void
}

export interface ScrollPlace {
  readonly left: number
  readonly top: number
  readonly behavior: 'instant'
}

/** Whether the node stands below the other, also through shadows. */
export function isBelow(node: PageElement, above: unknown): boolean {
  for (let at: PageElement | null = node; at !== null; at = at.parentNode ?? at.host ?? null) {
    if (at === above) return true
  }
  return false
}

export interface WantedState {
  readonly attributes: Readonly<Record<string, string>> | null
  readonly properties: Readonly<Record<string, unknown>> | null
}

export function hasState(element: PageElement, { attributes, properties }: WantedState): boolean {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (element.getAttribute(name) !== value) return false
  }
  const pending: [wanted: unknown, actual: unknown][] = [[properties ?? {}, element]]
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [wanted, actual] = pair
    if (wanted === actual) continue
    if (!(wanted instanceof Object) || !(actual instanceof Object)) return false
    const members = actual as Readonly<Record<string, unknown>>
    for (const [name, value] of Object.entries(wanted)) pending.push([value, members[name]])
  }
  return true
}

/** All that a step needs to know of its element, in one question. */
export interface Look {
  readonly isVisible: boolean
  /** CSS pixels. */
  readonly width: number
  readonly height: number
  /** How a value gets into it. */
  readonly field: 'select' | 'text' | 'other'
}

export function lookAt(element: PageElement): Look {
  const { width, height } = element.getBoundingClientRect()
  const name = element.localName
  const texts = ['text', 'url', 'tel', 'search', 'password', 'number', 'email']
  const isText =
    name === 'input' ? texts.includes(element.type ?? '') : name === 'textarea' || element.isContentEditable
  return {
    isVisible: width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true }),
    width,
    height,
    field: name === 'select' ? 'select' : isText === true ? 'text' : 'other',
  }
}

/** Sliders, colours, dates. */
export function setValue(element: PageElement, value: string): void {
  element.value = value
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
  element.dispatchEvent(new Event('change', { bubbles: true }))
}

export function scrollElement(element: PageElement, place: ScrollPlace): void {
  element.scrollTo(place)
}

export function scrollPage(place: ScrollPlace): void {
  const page = globalThis as unknown as PageElement
  page.scrollTo(place)
}

/** What was left in the property, once. */
export function takeProperty(name: string): unknown {
  const page = globalThis as unknown as Record<string, unknown>
  const left = page[name]
  delete page[name]
  return left
}
