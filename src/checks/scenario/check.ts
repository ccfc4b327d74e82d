import { pathSteps } from '../../domain/services/path-steps.ts'
import { parseScenario, type Scenario, type ScenarioStep, stepTimeout } from '../../domain/services/scenario.ts'
import { parseSecrets, type Secrets } from '../../domain/services/scenario-secrets.ts'
import { Failure } from '../../outgoing/failure.ts'
import type { CheckOutcome } from '../../sensor/attempt.ts'
import { pageFailure } from '../../sensor/browser/page-failure.ts'
import type { VisitOptions } from '../../sensor/browser/visit.ts'
import { withPage } from '../../sensor/browser/with-page.ts'
import { within } from '../../sensor/browser/within.ts'
import type { Equipment } from '../../sensor/equipment.ts'
import { readTarget } from '../../sensor/http/request.ts'
import type { CheckJob, StepResult } from '../../sensor/protocol.ts'
import { coverSecrets } from '../../sensor/scenario/cover-secrets.ts'
import { awaitEvents } from '../../sensor/scenario/events.ts'
import { open, runStep } from '../../sensor/scenario/run-step.ts'
import { type Performance, setStage } from '../../sensor/scenario/stage.ts'
import { readInteger, readOptionalText, readText } from '../../sensor/settings.ts'

/** A step that leads to a chain of pages needs a few; a loop needs all it can get. */
const navigationsPerStep = 10

/** Up when every step of the scenario can be done and all that it asserts is so. */
export async function checkScenario(job: CheckJob, equipment: Equipment): Promise<CheckOutcome> {
  const scenario = readScenario(job)
  const secrets = readSecrets(job)
  const { url } = readTarget(job)
  const names = pathSteps(scenario)
  const outcome = await withPage(job, equipment, visitOptions(job, { url, scenario, secrets }), async (visit) => {
    if (secrets.size > 0) coverSecrets(visit, [...secrets.values()])
    await perform({ visit, scenario, secrets, home: url, sessions: new Map() }, names)
  })
  return namingStep(outcome)
}

function readScenario(job: CheckJob): Scenario {
  const { scenario, problems } = parseScenario(readText(job.settings, 'scenario'), 'scenario')
  if (scenario !== null) return scenario
  throw new Failure('setting_invalid', `setting scenario: ${problems[0]?.error} at ${problems[0]?.field}`)
}

function readSecrets(job: CheckJob): Secrets {
  const secrets = parseSecrets(readOptionalText(job.settings, 'secrets') ?? '')
  if (secrets === undefined) throw new Failure('setting_invalid', 'setting secrets cannot be read')
  return secrets
}

interface Plan {
  readonly url: URL
  readonly scenario: Scenario
  readonly secrets: Secrets
}

function visitOptions(job: CheckJob, { url, scenario, secrets }: Plan): VisitOptions {
  return {
    url,
    timeoutMs: readInteger(job.settings, 'timeout'),
    device: null,
    network: 'none',
    headers: [],
    credentials: null,
    maximumBytes: null,
    mostNavigations: navigationsPerStep * (scenario.steps.length + 1),
    keepsWindows: true,
    secrets: [...secrets.values()],
  }
}

async function perform(performance: Performance, names: readonly string[]): Promise<void> {
  const { visit, scenario } = performance
  const { attempt } = visit
  const results: StepResult[] = names.map((name) => ({ name, result: 'not_run', responseTime: null }))
  attempt.steps = results
  attempt.enter('transfer', 'scenario_timeout')
  for (const [index, step] of scenario.steps.entries()) {
    const startedMs = attempt.elapsedMs
    const spent = (): number => Math.round(attempt.elapsedMs - startedMs)
    const name = names[index] ?? ''
    // The attempt's clock stands still once the check is over, so an early end leaves the time that the step had then.
    const underWay: StepResult = {
      name,
      result: 'error',
      get responseTime() {
        return spent()
      },
    }
    attempt.steps = results.with(index, underWay)
    await act(performance, step, index === firstOnPage(scenario) && step.type !== 'navigate')
    results[index] = { name, result: 'ok', responseTime: spent() }
    attempt.steps = [...results]
  }
}

/** The first step that needs a page: one that does not go to one itself begins at the address of the service. */
function firstOnPage({ steps }: Scenario): number {
  return steps.findIndex(({ type }) => type !== 'setViewport' && type !== 'emulateNetworkConditions')
}

/** A page that hangs answers nothing, whatever time its step has: nobody waits for it any longer than this. */
const hangingMs = 1000

async function act(performance: Performance, step: ScenarioStep, beginsAtHome: boolean): Promise<void> {
  const limitMs = stepTimeout(step, performance.scenario)
  try {
    const done = await within(limitMs + hangingMs, actOut(performance, step, beginsAtHome))
    if (done === null) throw new Failure('scenario_step_timeout', `not done within ${limitMs} ms`)
  } catch (error) {
    throw stepFailure(error, limitMs)
  }
}

async function actOut(performance: Performance, step: ScenarioStep, beginsAtHome: boolean): Promise<true> {
  const stage = await setStage(performance, step)
  performance.visit.inView = stage.page
  if (beginsAtHome) await open(performance.visit.page.mainFrame(), performance.home, stage.remaining)
  const events = awaitEvents(stage)
  try {
    await runStep(stage)
    await events.met()
    return true
  } finally {
    events.stop()
  }
}

/** The driver's words, where they tell no better reason, are of a step that could not be done. */
function stepFailure(error: unknown, limitMs: number): Failure {
  const failure = pageFailure(error)
  if (failure.symbol === 'page_timeout') return new Failure('scenario_step_timeout', `not done within ${limitMs} ms`)
  if (failure.symbol === 'page_navigation_failed') return new Failure('scenario_step_failed', failure.message)
  return failure
}

function namingStep(outcome: CheckOutcome): CheckOutcome {
  const place = outcome.steps?.findIndex(({ result }) => result === 'error') ?? -1
  if (outcome.errorMessage === null || place < 0) return outcome
  return {
    ...outcome,
    errorMessage: `step ${place + 1} "${outcome.steps?.[place]?.name ?? ''}": ${outcome.errorMessage}`,
  }
}
