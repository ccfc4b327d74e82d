import type { ElementHandle } from 'playwright-core'
import type { StepOf } from '../../domain/scenario.ts'
import { findElement } from './elements.ts'
import { type Look, scrollElement, scrollPage } from './in-page.ts'
import { type Act, sessionOf } from './stage.ts'

const buttons = { primary: 'left', auxiliary: 'middle', secondary: 'right' } as const

interface Point {
  readonly x: number
  readonly y: number
}

/** Pens and fingers click as the mouse does. */
export async function click(act: Act<StepOf<'click'> | StepOf<'doubleClick'>>): Promise<void> {
  const { step, remaining } = act
  const { element, look } = await findElement(act, step.selectors)
  const position = positionIn(look, step)
  const clickCount = step.type === 'doubleClick' ? 2 : 1
  if (step.button === 'back' || step.button === 'forward') {
    await pressSideButton(act, element, position)
    return
  }
  await element.click({
    button: buttons[step.button],
    clickCount,
    timeout: remaining(),
    ...(position === null ? {} : { position }),
    ...(step.duration === null ? {} : { delay: step.duration }),
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
  element: ElementHandle,
  position: Point | null,
): Promise<void> {
  await element.scrollIntoViewIfNeeded({ timeout: remaining() })
  const box = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
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
  await element.evaluate(scrollElement, place)
}
