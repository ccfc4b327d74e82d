/** Scenarios: recordings of Chrome DevTools Recorder, as the setting `scenario` holds them (answers §7, §15). */
import {
  anyObject,
  choice,
  dictionary,
  flag,
  incorrect,
  isObject,
  list,
  listOr,
  number,
  optional,
  record,
  type Shape,
  type Shaped,
  text,
} from './json-shape.ts'
import type { Problem } from './problem.ts'
import type { ProblemDetail } from './problem-codes.ts'

/** The largest number of steps in a recording; each is an element of `path_steps`. */
export const maximumSteps = 100
/** Milliseconds for a step without its own or the recording's timeout; the same as in the Recorder's player. */
const standardStepTimeout = 5000

const longestStepTimeout = 30_000
const longestSelector = 2000
const longestUrl = 2048

/**
 * Checks that an address is http, https, or relative to the service's. Like a browser, it ignores leading spaces and
 * line breaks. A secret may stand for anything but a part of the scheme.
 */
function urlFault(url: string): ProblemDetail | undefined {
  const read = url.replaceAll(/[\t\r\n]/g, '').replaceAll(/\{\{[^{}]*\}\}/g, 'x')
  return /^[\p{Cc} ]*(?!https?:)[a-z][a-z0-9+.-]*:/iu.test(read) ? 'scenario_url' : undefined
}

/** A character, or the name of a key such as `Enter`, `KeyA`, `ArrowDown`. */
function keyFault(key: string): ProblemDetail | undefined {
  return /^(.|[A-Z][A-Za-z0-9]*)$/su.test(key) ? undefined : 'scenario_key'
}

const timeout = optional(number(1, longestStepTimeout), null)
const selector = text({ minimum: 1, maximum: longestSelector })
const selectors = list(listOr(list(selector, { minimum: 1, maximum: 20 }), selector), { minimum: 1, maximum: 50 })
const assertedEvent = record({
  type: choice(['navigation']),
  url: optional(text({ maximum: longestUrl }), null),
  title: optional(text({ maximum: 1000 }), null),
})

const anywhere = {
  /** Our own member; the Recorder ignores it. */
  title: optional(text({ maximum: 200 }), null),
  /** Milliseconds. */
  timeout,
  assertedEvents: optional(list(assertedEvent, { maximum: 10 }), []),
  /** URL of the page or frame of the step. */
  target: optional(text({ minimum: 1, maximum: longestUrl }), 'main'),
}
/** The frame's index within the page, then within that frame, and so on. */
const inFrame = { ...anywhere, frame: optional(list(number(0, 1000, 'integer'), { maximum: 20 }), []) }
const onElement = { ...inFrame, selectors }
const coordinate = number(-100_000, 100_000)
const pointing = {
  ...onElement,
  /** CSS pixels from the left and the top of the element. */
  offsetX: coordinate,
  offsetY: coordinate,
  duration: optional(number(0, longestStepTimeout), null),
  deviceType: optional(choice(['mouse', 'pen', 'touch']), 'mouse'),
  button: optional(choice(['primary', 'auxiliary', 'secondary', 'back', 'forward']), 'primary'),
}
const key = text({ minimum: 1, maximum: 32, fault: keyFault })
const bytesPerSecond = number(-1, 10_000_000_000)

/** The pixels of an 8K screen. A larger window takes a browser too long to draw and uses up its memory. */
export const mostPixels = 7680 * 4320

const viewport = record({
  ...anywhere,
  type: choice(['setViewport']),
  width: number(1, 10_000, 'integer'),
  height: number(1, 10_000, 'integer'),
  deviceScaleFactor: number(0, 4),
  isMobile: flag,
  hasTouch: flag,
  isLandscape: flag,
})

const boundedViewport: typeof viewport = {
  read(value, field, problems) {
    const given = viewport.read(value, field, problems)
    if (given === undefined || given.width * given.height <= mostPixels) return given
    const maximum = Math.floor(mostPixels / given.width)
    problems.push({ error: 'incorrect_value', field: `${field}.height`, facts: { minimum: 1, maximum } })
    return undefined
  },
}

const steps = {
  setViewport: boundedViewport,
  emulateNetworkConditions: record({
    ...anywhere,
    type: choice(['emulateNetworkConditions']),
    download: bytesPerSecond,
    upload: bytesPerSecond,
    latency: number(0, 60_000),
  }),
  navigate: record({
    ...anywhere,
    type: choice(['navigate']),
    url: text({ minimum: 1, maximum: longestUrl, fault: urlFault }),
  }),
  click: record({ ...pointing, type: choice(['click']) }),
  doubleClick: record({ ...pointing, type: choice(['doubleClick']) }),
  hover: record({ ...onElement, type: choice(['hover']) }),
  change: record({ ...onElement, type: choice(['change']), value: text({ maximum: 100_000 }) }),
  keyDown: record({ ...anywhere, type: choice(['keyDown']), key }),
  keyUp: record({ ...anywhere, type: choice(['keyUp']), key }),
  scroll: record({
    ...inFrame,
    type: choice(['scroll']),
    selectors: optional(selectors, null),
    x: optional(coordinate, 0),
    y: optional(coordinate, 0),
  }),
  close: record({ ...anywhere, type: choice(['close']) }),
  waitForElement: record({
    ...onElement,
    type: choice(['waitForElement']),
    operator: optional(choice(['>=', '==', '<=']), '>='),
    count: optional(number(0, 100_000, 'integer'), 1),
    visible: optional(flag, true),
    attributes: optional(dictionary(text({ maximum: 10_000 })), null),
    properties: optional(anyObject, null),
  }),
  waitForExpression: record({
    ...inFrame,
    type: choice(['waitForExpression']),
    expression: text({ minimum: 1, maximum: 20_000 }),
  }),
} as const

type StepShapes = typeof steps
export type StepType = keyof StepShapes
export type StepOf<T extends StepType> = Shaped<StepShapes[T]>
/** A step with every member; omitted ones have their default. */
export type ScenarioStep = { [T in StepType]: StepOf<T> }[StepType]
export type Selector = ScenarioStep extends infer S
  ? S extends { selectors: readonly (infer One)[] }
    ? One
    : never
  : never
export type AssertedEvent = ScenarioStep['assertedEvents'][number]

/** A valid recording: every step is known and well formed. */
export interface Scenario {
  readonly title: string
  /** Milliseconds for each step without its own timeout. */
  readonly timeout: number | null
  readonly steps: readonly ScenarioStep[]
}

const stepTypes = Object.keys(steps) as readonly StepType[]

const step: Shape<ScenarioStep> = {
  read(value, field, problems) {
    if (!isObject(value) || !Object.hasOwn(value, 'type')) {
      problems.push(
        isObject(value)
          ? { error: 'missing_value', field: `${field}.type` }
          : { error: 'incorrect_type', field, facts: { expected: 'object' } },
      )
      return undefined
    }
    // Only the extension that recorded it knows what it does. Skipping it would report ok for something nobody checked.
    if (value['type'] === 'customStep') {
      problems.push(incorrect(`${field}.type`, 'scenario_custom_step'))
      return undefined
    }
    const type = choice(stepTypes).read(value['type'], `${field}.type`, problems)
    return type === undefined ? undefined : steps[type].read(value, field, problems)
  },
}

const scenario: Shape<Scenario> = record({
  title: text({ maximum: 1000 }),
  timeout,
  steps: list(step, { minimum: 1, maximum: maximumSteps }),
})

/** The result of reading a recording. */
export interface ReadScenario {
  /** Null if there are problems. */
  readonly scenario: Scenario | null
  readonly problems: readonly Problem[]
}

/**
 * Reads the recording and collects all problems, each at its place below `field` (`….steps[3].selectors`). Problems:
 * incorrect_value with a detail, incorrect_type, missing_value, value_too_long.
 */
export function parseScenario(json: string, field: string): ReadScenario {
  const problems: Problem[] = []
  const recording = parsed(json)
  if (!isObject(recording)) return { scenario: null, problems: [incorrect(field, 'scenario')] }
  const read = scenario.read(recording, field, problems) ?? null
  return { scenario: read, problems }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Milliseconds that the step may take. */
export function stepTimeout(step: ScenarioStep, { timeout }: Scenario): number {
  return step.timeout ?? timeout ?? standardStepTimeout
}
