import type { StepOf } from '../../domain/services/scenario.ts'
import { within } from '../browser/within.ts'
import { findElement } from './elements.ts'
import type { FoundElement } from './found-element.ts'
import { type ElementState, type Point, pressingPoint, scrollElement, scrollPage } from './in-page.ts'
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
 * The driver needs a dozen questions and two frames to verify an element. In plain cases one question suffices; the
 * driver handles the rest. Null also for frames, because only the driver knows their place in the window.
 */
async function plainPoint(
  { frame, performance, remaining }: Act,
  element: FoundElement,
  position: Point | null,
): Promise<Point | null> {
  if (frame !== performance.visit.page.mainFrame()) return null
  // On null the driver is asked instead, and reports the fault.
  return await within(remaining(), element.ask(pressingPoint, position)).catch(() => null)
}

/** Does the driver's work after a click: if it leads to another document, that document must have arrived. */
async function sentOn(act: Act): Promise<void> {
  const { performance, remaining } = act
  const { session, watch } = performance.visit
  const { journey } = watch
  // Sent after the press, so effects of the press are reported before the answer, and deferred ones before the second
  // answer.
  for (let turn = 0; turn < 2; turn += 1)
    // A document that is being replaced does not answer; the next steps wait for the new one.
    await within(remaining(), session.send('Runtime.evaluate', { expression: '1' })).catch(() => null)
  const until = remaining() - wishMs
  await poll(act, async () => {
    if (!journey.isLeaving()) return true
    // A navigation without a request comes to nothing: an address for another program, or a script that changed its
    // mind.
    if (!journey.isSettled() || remaining() >= until) return null
    journey.stay()
    return true
  })
}

/** Null (the middle) if the element is smaller than it was in the recording. */
function positionIn(
  { width, height }: ElementState,
  { offsetX: x, offsetY: y }: { readonly offsetX: number; readonly offsetY: number },
): Point | null {
  return x >= 0 && y >= 0 && x < width && y < height ? { x, y } : null
}

/** The driver does not offer the side buttons of the mouse. */
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
