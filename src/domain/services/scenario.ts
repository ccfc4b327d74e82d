/** Scenarios: recordings of Chrome DevTools Recorder, as the setting `scenario` holds them (answers §7, §15). */
import * as z from 'zod'
import { incorrect, isObject, list, number, readJson, refusal, text } from '../input/json.ts'
import type { Problem } from '../input/problem.ts'
import type { ProblemDetail } from '../input/problem-codes.ts'

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
function isUrl(url: string): boolean {
  const read = url.replaceAll(/[\t\r\n]/g, '').replaceAll(/\{\{[^{}]*\}\}/g, 'x')
  return !/^[\p{Cc} ]*(?!https?:)[a-z][a-z0-9+.-]*:/iu.test(read)
}

/** A character, or the name of a key such as `Enter`, `KeyA`, `ArrowDown`. */
function isKey(key: string): boolean {
  return /^(.|[A-Z][A-Za-z0-9]*)$/su.test(key)
}

function detailed(detail: ProblemDetail) {
  return refusal({ error: 'incorrect_value', facts: { detail } })
}

/** Null where it is left out. */
function orNull<T>(of: z.ZodType<T>) {
  return of.optional().transform((given) => given ?? null)
}

const timeout = orNull(number(1, longestStepTimeout))
const selector = text({ minimum: 1, maximum: longestSelector })
const selectors = list(z.union([list(selector, { minimum: 1, maximum: 20 }), selector]), { minimum: 1, maximum: 50 })
const assertedEvent = z.object({
  type: z.literal('navigation'),
  url: orNull(text({ maximum: longestUrl })),
  title: orNull(text({ maximum: 1000 })),
})

const anywhere = {
  /** Our own member; the Recorder ignores it. */
  title: orNull(text({ maximum: 200 })),
  /** Milliseconds. */
  timeout,
  assertedEvents: list(assertedEvent, { maximum: 10 }).default([]),
  /** URL of the page or frame of the step. */
  target: text({ minimum: 1, maximum: longestUrl }).default('main'),
}
/** The frame's index within the page, then within that frame, and so on. */
const inFrame = { ...anywhere, frame: list(number(0, 1000, 'integer'), { maximum: 20 }).default([]) }
const onElement = { ...inFrame, selectors }
const coordinate = number(-100_000, 100_000)
const pointing = {
  ...onElement,
  /** CSS pixels from the left and the top of the element. */
  offsetX: coordinate,
  offsetY: coordinate,
  duration: orNull(number(0, longestStepTimeout)),
  deviceType: z.enum(['mouse', 'pen', 'touch']).default('mouse'),
  button: z.enum(['primary', 'auxiliary', 'secondary', 'back', 'forward']).default('primary'),
}
const key = text({ minimum: 1, maximum: 32 }).refine(isKey, detailed('scenario_key'))
const bytesPerSecond = number(-1, 10_000_000_000)

/** The pixels of an 8K screen. A larger window takes a browser too long to draw and uses up its memory. */
export const mostPixels = 7680 * 4320

const viewport = z.object({
  ...anywhere,
  type: z.literal('setViewport'),
  width: number(1, 10_000, 'integer'),
  height: number(1, 10_000, 'integer'),
  deviceScaleFactor: number(0, 4),
  isMobile: z.boolean(),
  hasTouch: z.boolean(),
  isLandscape: z.boolean(),
})

function withinPixels(given: z.output<typeof viewport>, context: z.core.$RefinementCtx): void {
  if (given.width * given.height <= mostPixels) return
  const maximum = Math.floor(mostPixels / given.width)
  const { params } = refusal({ error: 'incorrect_value', facts: { minimum: 1, maximum } })
  context.addIssue({ code: 'custom', path: ['height'], params })
}

const steps = [
  viewport.superRefine(withinPixels),
  z.object({
    ...anywhere,
    type: z.literal('emulateNetworkConditions'),
    download: bytesPerSecond,
    upload: bytesPerSecond,
    latency: number(0, 60_000),
  }),
  z.object({
    ...anywhere,
    type: z.literal('navigate'),
    url: text({ minimum: 1, maximum: longestUrl }).refine(isUrl, detailed('scenario_url')),
  }),
  z.object({ ...pointing, type: z.literal('click') }),
  z.object({ ...pointing, type: z.literal('doubleClick') }),
  z.object({ ...onElement, type: z.literal('hover') }),
  z.object({ ...onElement, type: z.literal('change'), value: text({ maximum: 100_000 }) }),
  z.object({ ...anywhere, type: z.literal('keyDown'), key }),
  z.object({ ...anywhere, type: z.literal('keyUp'), key }),
  z.object({
    ...inFrame,
    type: z.literal('scroll'),
    selectors: orNull(selectors),
    x: coordinate.default(0),
    y: coordinate.default(0),
  }),
  z.object({ ...anywhere, type: z.literal('close') }),
  z.object({
    ...onElement,
    type: z.literal('waitForElement'),
    operator: z.enum(['>=', '==', '<=']).default('>='),
    count: number(0, 100_000, 'integer').default(1),
    visible: z.boolean().default(true),
    attributes: orNull(z.record(z.string(), text({ maximum: 10_000 }))),
    properties: orNull(z.record(z.string(), z.unknown())),
  }),
  z.object({
    ...inFrame,
    type: z.literal('waitForExpression'),
    expression: text({ minimum: 1, maximum: 20_000 }),
  }),
] as const

export type StepType = ScenarioStep['type']
export type StepOf<T extends StepType> = Extract<ScenarioStep, { readonly type: T }>
/** A step with every member; omitted ones have their default. */
export type ScenarioStep = z.output<(typeof steps)[number]>
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

const stepTypes = steps.map((one) => one.shape.type.value)

/**
 * Only the extension that recorded a custom step knows what it does. Skipping it would report ok for something nobody
 * checked.
 */
const stepType = z
  .string()
  .refine((type) => type !== 'customStep', detailed('scenario_custom_step'))
  .pipe(z.enum(stepTypes))

const known: z.ZodType<unknown> = z.looseObject({ type: stepType })
const member: z.ZodType<ScenarioStep> = z.discriminatedUnion('type', steps)
const step = known.pipe(member)

const scenario = z.object({
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
  const recording = parsed(json)
  if (!isObject(recording)) return { scenario: null, problems: [incorrect(field, 'scenario')] }
  const { value, problems } = readJson(scenario, recording, field)
  return { scenario: value ?? null, problems }
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
