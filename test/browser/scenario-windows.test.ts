import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CheckResult, Settings } from '../../src/sensor/protocol.ts'
import { createPageChecker, describeWithBrowser, type PageChecker } from '../support/browser.ts'
import { verdictOf } from '../support/check.ts'
import { openShop, type Shop } from '../support/shop.ts'

const html = (body: string) => `<!doctype html><title>Stage</title><body>${body}</body>`
const pages = {
  '/': html("<button id=\"opens\" onclick=\"open('/opened', '', 'width=320,height=240')\">Open</button>"),
  '/opened': html('<p>Opened</p>'),
}
const click = (selector: string, more: object = {}) => ({
  ...{ type: 'click', selectors: [selector], offsetX: 5, offsetY: 5 },
  ...more,
})
const missing = click('#missing', { timeout: 400 })

/** Width and height of the screenshot, from the frame header of the JPEG (ISO 10918-1, B.2.2). */
function pictureSize({ evidence }: CheckResult): readonly number[] {
  const bytes = Buffer.from(evidence?.artifacts.find(({ typeId }) => typeId === 'screenshot')?.bytes ?? [])
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0
    if (marker >= 0xc0 && marker <= 0xc2) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
  }
  return []
}

describeWithBrowser('a step that fails', () => {
  let shop: Shop
  let checker: PageChecker
  beforeAll(async () => {
    shop = await openShop(pages)
    checker = createPageChecker({ evidencePatienceMs: 30_000 })
  })
  afterAll(async () => {
    await checker.stop()
    await shop.close()
  })

  function play(last: object, settings: Settings = {}): Promise<CheckResult> {
    const steps = [{ type: 'navigate', url: `${shop.url}/` }, click('#opens'), last]
    const scenario = JSON.stringify({ title: 'Windows', timeout: 10_000, steps })
    return checker.check('webappcheck', '127.0.0.1:1', { scenario, ...settings })
  }

  test('in another window has the picture of that window, covered or not', async () => {
    const there = { ...missing, target: '*/opened' }
    const plain = await play(there)
    expect([verdictOf(plain), pictureSize(plain)]).toEqual(['scenario_element_missing', [320, 240]])
    expect(pictureSize(await play(there, { secrets: 'word=open sesame' }))).toEqual([320, 240])
  })

  test('in the page has the picture of the page, whatever windows there are', async () => {
    const result = await play(missing)
    expect([verdictOf(result), pictureSize(result)]).toEqual(['scenario_element_missing', [1366, 768]])
  })
})
