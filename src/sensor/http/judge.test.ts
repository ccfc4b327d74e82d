import { expect, test } from 'vitest'
import { judgeTexts } from './judge.ts'

const none = { contentPattern: null, forbiddenPattern: null, asker: { deadlineAt: Number.MAX_SAFE_INTEGER } }
const wanted = { ...none, contentPattern: 'in stock' }
const forbidden = { ...none, forbiddenPattern: 'error' }

function verdict(texts: readonly (string | null)[], demands: typeof none | typeof wanted | typeof forbidden) {
  return judgeTexts(texts, demands).then(
    () => 'ok',
    (failure: { readonly symbol: string }) => failure.symbol,
  )
}

test('a text that could not be read decides nothing', async () => {
  expect(await verdict(['sold', null], wanted)).toBe('browser_failed')
  expect(await verdict(['fine', null], forbidden)).toBe('browser_failed')
})

test('what is known decides where the unread text could change nothing', async () => {
  expect(await verdict(['in stock', null], wanted)).toBe('ok')
  expect(await verdict([null, 'an error'], forbidden)).toBe('content_forbidden')
  expect(await verdict([null], none)).toBe('ok')
  expect(await verdict(['sold', ''], wanted)).toBe('content_missing')
})
