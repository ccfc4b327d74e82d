import { storable } from '../input/storable.ts'
import type { Scenario, ScenarioStep, Selector } from './scenario.ts'

const longestName = 120

/**
 * The names of the steps in order, each once (specification: Service, `path_steps`). A name is the step's own title,
 * else the title of the navigation that it asserts, else its type and target. References to secrets stay references.
 */
export function pathSteps({ steps }: Scenario): readonly string[] {
  const taken = new Set<string>()
  return steps.map((step) => {
    const name = nameOf(step)
    let unique = name
    for (let time = 2; taken.has(unique); time += 1) unique = `${name} (${time})`
    taken.add(unique)
    return unique
  })
}

function nameOf(step: ScenarioStep): string {
  const titles = [step.title, ...step.assertedEvents.map(({ title }) => title)].map((title) => tidied(title ?? ''))
  return titles.find((title) => title !== '') ?? tidied(`${step.type} ${objectOf(step)}`)
}

function tidied(name: string): string {
  const line = storable(name)
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
  const characters = [...line]
  return characters.length > longestName ? `${characters.slice(0, longestName - 1).join('')}…` : line
}

function objectOf(step: ScenarioStep): string {
  switch (step.type) {
    case 'setViewport':
      return `${step.width}×${step.height}`
    case 'emulateNetworkConditions':
      return `${step.download}/${step.upload}/${step.latency}`
    case 'navigate':
      return step.url
    case 'keyDown':
    case 'keyUp':
      return step.key
    case 'close':
      return step.target
    case 'scroll':
      return step.selectors === null ? `${step.x}, ${step.y}` : selectorText(step.selectors)
    case 'waitForExpression':
      return step.expression
    default:
      return selectorText(step.selectors)
  }
}

/** The element's accessible name or its text, if the recording has one. */
function selectorText(selectors: readonly Selector[]): string {
  const texts = selectors.map((selector) => (typeof selector === 'string' ? selector : selector.join(' ')))
  const said = texts.find((one) => /^(aria|text)\/[^[]/.test(one)) ?? texts[0] ?? ''
  return said.replace(/^(aria|text|css|xpath|pierce)\//, '')
}
