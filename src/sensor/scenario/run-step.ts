import type { Frame } from 'playwright-core'
import { mostPixels, type StepOf } from '../../domain/services/scenario.ts'
import { withSecrets } from '../../domain/services/scenario-secrets.ts'
import { Failure } from '../../outgoing/failure.ts'
import { within } from '../browser/within.ts'
import { judgeStatus } from '../http/judge.ts'
import { findElement } from './elements.ts'
import { pageStatuses } from './events.ts'
import type { FoundElement } from './found-element.ts'
import { focusText, setValue } from './in-page.ts'
import { click, scroll } from './pointer.ts'
import { type Act, sessionOf } from './stage.ts'
import { waitForElement } from './wait-for-element.ts'

/** Executes the step. */
export async function runStep(act: Act): Promise<void> {
  const { step, page, frame, remaining } = act
  switch (step.type) {
    case 'setViewport':
      return setViewport({ ...act, step })
    case 'emulateNetworkConditions':
      return emulateNetwork({ ...act, step })
    case 'navigate':
      return navigate({ ...act, step })
    case 'click':
    case 'doubleClick':
      return click({ ...act, step })
    case 'hover':
      return hover({ ...act, step })
    case 'change':
      return change({ ...act, step })
    case 'keyDown':
      return page.keyboard.down(step.key)
    case 'keyUp':
      return page.keyboard.up(step.key)
    case 'scroll':
      return scroll({ ...act, step })
    case 'close':
      return close(act)
    case 'waitForElement':
      return waitForElement({ ...act, step })
    case 'waitForExpression': {
      await frame.waitForFunction(step.expression, undefined, { timeout: remaining() })
    }
  }
}

/** A high-resolution window keeps its layout but is drawn with fewer pixels. 0 is the usual scale. */
function drawnScale({ width, height, deviceScaleFactor }: StepOf<'setViewport'>): number {
  const largest = Math.sqrt(mostPixels / (width * height))
  return largest >= (deviceScaleFactor === 0 ? 1 : deviceScaleFactor) ? deviceScaleFactor : largest
}

async function setViewport({ step, page, performance }: Act<StepOf<'setViewport'>>): Promise<void> {
  const { width, height, isMobile, hasTouch, isLandscape } = step
  const session = await sessionOf(performance, page)
  await Promise.all([
    session.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: drawnScale(step),
      mobile: isMobile,
      screenOrientation: isLandscape ? { type: 'landscapePrimary', angle: 90 } : { type: 'portraitPrimary', angle: 0 },
    }),
    session.send('Emulation.setTouchEmulationEnabled', { enabled: hasTouch }),
  ])
}

/** Bytes per second. -1 means no limit; no throughput in both directions means no network. */
async function emulateNetwork({ step, page, performance }: Act<StepOf<'emulateNetworkConditions'>>): Promise<void> {
  const { download, upload, latency } = step
  const session = await sessionOf(performance, page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: download === 0 && upload === 0,
    downloadThroughput: download,
    uploadThroughput: upload,
    latency,
  })
}

/** Loads the page; an error answer counts as a failure. */
export async function open(frame: Frame, url: URL, remaining: () => number): Promise<void> {
  const response = await frame.goto(url.href, { timeout: remaining() })
  if (response === null) return
  judgeStatus({ status: response.status(), reason: response.statusText() }, { acceptedStatuses: pageStatuses })
}

async function navigate({ step, frame, performance, remaining }: Act<StepOf<'navigate'>>): Promise<void> {
  const url = withSecrets(step.url, performance.secrets, encodeURIComponent)
  if (!URL.canParse(url, performance.home.href)) throw new Failure('address_invalid', `${step.url} is no address`)
  const target = new URL(url, performance.home)
  // The browser would also open files of its machine.
  if (target.protocol !== 'http:' && target.protocol !== 'https:')
    throw new Failure('setting_invalid', `${step.url} leads to ${target.protocol}, only http and https are checked`)
  await open(frame, target, remaining)
}

async function hover(act: Act<StepOf<'hover'>>): Promise<void> {
  const { element } = await findElement(act, act.step.selectors)
  const handle = await element.handle()
  await handle.hover({ timeout: act.remaining() })
}

async function change(act: Act<StepOf<'change'>>): Promise<void> {
  const { step, performance } = act
  const { element, look } = await findElement(act, step.selectors)
  const value = withSecrets(step.value, performance.secrets)
  if (look.field === 'text') await enter(act, element, value)
  else if (look.field === 'other') await element.ask(setValue, value)
  else {
    const handle = await element.handle()
    await handle.selectOption({ value }, { timeout: act.remaining() })
  }
}

/** Enters all but the end at once, and the end by the keyboard, because a page may wait for key events. */
async function enter(act: Act, element: FoundElement, value: string): Promise<void> {
  const { page, remaining } = act
  const last = [...value].at(-1) ?? ''
  const beginning = value.slice(0, value.length - last.length)
  if (last !== '\n' && beginning !== '' && (await takesText(act, element))) {
    await page.keyboard.insertText(beginning)
    return page.keyboard.type(last)
  }
  const handle = await element.handle()
  await handle.fill(last === '\n' ? value : beginning, { timeout: remaining() })
  if (last !== '\n' && last !== '') await handle.type(last, { timeout: remaining() })
}

/**
 * One question in plain cases; otherwise the driver waits until the field is ready. Keys for a frame must be sent by
 * the driver.
 */
async function takesText({ frame, performance, remaining }: Act, element: FoundElement): Promise<boolean> {
  if (frame !== performance.visit.page.mainFrame()) return false
  // On false the driver is asked instead, and reports the fault.
  return (await within(remaining(), element.ask(focusText, null)).catch(() => false)) === true
}

/** The visit's own page is left instead of closed, because the evidence is taken from it. */
async function close({ page, performance, remaining }: Act): Promise<void> {
  if (page === performance.visit.page) await page.goto('about:blank', { timeout: remaining() })
  else await page.close()
}
