import type { StepOf } from '../../domain/scenario.ts'
import { within } from '../browser/within.ts'
import { findElement } from './elements.ts'
import type { FoundElement } from './found-element.ts'
import { type Look, type Point, pressingPoint, scrollElement, scrollPage } from './in-page.ts'
import { type Act, poll, sessionOf } from './stage.ts'

const wishMs = 500

const buttons = { primary: 'left', auxiliary: 'middle', secondary: 'right' } as const

/** Pens and fingers click as the mouse does. */
export async function click(act: Act<StepOf<'click'> | StepOf<'doubleClick'>>): Promise<void> {
  const { step, page, remaining } = act
  const { element, look } = await findElement(act, step.selectors)
  const position = positionIn(look, step)
  const clickCount = step.type === 'doubleClick' ? 2 : 1
  if (step.button === 'back' || step.button === 'forward') {
    await pressSideButton(act, element, position)
    return
  }
  const how = {
    ...{ button: buttons[step.button], clickCount },
    ...(step.duration === null ? {} : { delay: step.duration }),
  }
  const point = await plainPoint(act, element, position)
  if (point === null) {
    const handle = await element.handle()
    await handle.click({ ...how, timeout: remaining(), ...(position === null ? {} : { position }) })
    return
  }
  await page.mouse.click(point.x, point.y, how)
  await sentOn(act)
}

/**
 * The driver makes sure of an element in a dozen questions and two frames, and of nothing if need be again. Where all is plain one
 * question does; the driver is for the rest. Null also for frames, whose place in the window only it knows.
 */
async function plainPoint(
  { frame, performance, remaining }: Act,
  element: FoundElement,
  position: Point | null,
): Promise<Point | null> {
  if (frame !== performance.visit.page.mainFrame()) return null
  // The driver is asked instead, and says what is wrong.
  return await within(remaining(), element.ask(pressingPoint, position)).catch(() => null)
}

/** As the driver does after a click: where it leads to another document, that one must have come. */
async function sentOn(act: Act): Promise<void> {
  const { performance, remaining } = act
  const { session, watch } = performance.visit
  const { journey } = watch
  // Asked after the press, so what it set off is told before the answer; what it put off for a moment, before the second.
  for (let turn = 0; turn < 2; turn += 1)
    // A document that is being replaced does not answer: what follows waits for the next one.
    await within(remaining(), session.send('Runtime.evaluate', { expression: '1' })).catch(() => null)
  const until = remaining() - wishMs
  await poll(act, async () => {
    if (!journey.isLeaving()) return true
    // A wish that nothing was asked for comes to nothing: an address for another program, a script that thought better of it.
    if (!journey.isSettled() || remaining() >= until) return null
    journey.stay()
    return true
  })
}

/** Null, its middle, where the element is smaller than it was when it was recorded. */
function positionIn(
  { width, height }: Look,
  { offsetX: x, offsetY: y }: { readonly offsetX: number; readonly offsetY: number },
): Point | null {
  return x >= 0 && y >= 0 && x < width && y < height ? { x, y } : null
}

/** The driver has no buttons on the side of the mouse. */
async function pressSideButton(
  { step, page, performance, remaining }: Act<StepOf<'click'> | StepOf<'doubleClick'>>,
  element: FoundElement,
  position: Point | null,
): Promise<void> {
  const handle = await element.handle()
  await handle.scrollIntoViewIfNeeded({ timeout: remaining() })
  const box = (await handle.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const inside = position ?? { x: box.width / 2, y: box.height / 2 }
  const session = await sessionOf(performance, page)
  const event = { x: box.x + inside.x, y: box.y + inside.y, button: step.button as 'back' | 'forward' }
  for (let clickCount = 1; clickCount <= (step.type === 'doubleClick' ? 2 : 1); clickCount += 1) {
    await session.send('Input.dispatchMouseEvent', { ...event, type: 'mousePressed', clickCount })
    await session.send('Input.dispatchMouseEvent', { ...event, type: 'mouseReleased', clickCount })
  }
}

export async function scroll(act: Act<StepOf<'scroll'>>): Promise<void> {
  const { step, frame } = act
  const place = { left: step.x, top: step.y, behavior: 'instant' } as const
  if (step.selectors === null) {
    await frame.evaluate(scrollPage, place)
    return
  }
  const { element } = await findElement(act, step.selectors)
  await element.ask(scrollElement, place)
}
