import type { StepOf } from '../../domain/services/scenario.ts'
import { Failure } from '../../outgoing/failure.ts'
import { findAll, written } from './elements.ts'
import type { FoundElement } from './found-element.ts'
import { hasState } from './in-page.ts'
import { type Act, poll } from './stage.ts'

const comparisons = {
  '==': (found: number, wanted: number) => found === wanted,
  '>=': (found: number, wanted: number) => found >= wanted,
  '<=': (found: number, wanted: number) => found <= wanted,
} as const

/** As in the Recorder's own player: `visible: false` waits until the rest of the step does not hold. */
export async function waitForElement(act: Act<StepOf<'waitForElement'>>): Promise<void> {
  const { step } = act
  let count = 0
  const isMet = await poll(act, async () => {
    try {
      const elements = await findAll(act, step.selectors)
      count = elements.length
      const holds = comparisons[step.operator](count, step.count) && (await allHave(elements, step))
      return holds === step.visible ? true : null
    } catch {
      // The page is just being replaced.
      return null
    }
  })
  if (isMet !== null) return
  const wanted = `${step.visible ? '' : 'not '}${step.operator} ${step.count} ${written(step.selectors)}`
  throw new Failure('scenario_element_missing', `wanted ${wanted}; there are ${count}`)
}

async function allHave(
  elements: readonly FoundElement[],
  { attributes, properties }: StepOf<'waitForElement'>,
): Promise<boolean> {
  if (attributes === null && properties === null) return true
  for (const element of elements) {
    const has = await element.ask(hasState, { attributes, properties })
    if (!has) return false
  }
  return true
}
