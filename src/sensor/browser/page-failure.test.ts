import { expect, test } from 'vitest'
import { driverText, pageFailure } from './page-failure.ts'

const logged = `Target page, context or browser has been closed
Browser logs:
<launching> /somewhere/chromium
[pid=7][err] INFO:CONSOLE:1] "a token of somebody else"`

test('nothing that the browser wrote is in the text of an error', () => {
  const sentence = 'Target page, context or browser has been closed'
  expect(driverText(new Error(`browser.newContext: ${logged}`))).toBe(sentence)
  expect(pageFailure(new Error(`page.goto: ${logged}`))).toMatchObject({ symbol: 'browser_failed', message: sentence })
})
