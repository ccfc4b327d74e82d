import { expect, test } from 'vitest'
import { isUnclear, proposalFor } from './proposal.ts'

test.each([
  ['shop.example.com:8080', 'http', 'https'],
  ['shop.example.com:8080/cart?x=1', 'http', 'https'],
  ['shop.example.com:8443', 'https', 'http'],
  ['shop.example.com:7777/cart', 'https', 'http'],
  ['192.0.2.7:3000', 'http', 'https'],
  ['[2001:db8::7]:8443', 'https_ipv6', 'http_ipv6'],
  ['me:secret@shop.example.com:9443/cart', 'https', 'http'],
])('%s is guessed by its port, and may be the other one', (pasted, typeId, otherTypeId) => {
  expect(proposalFor(pasted)).toMatchObject({ typeId, otherTypeId })
})

test.each([
  ['https://shop.example.com:8080/', 'https'],
  ['http://shop.example.com:8443/', 'http'],
  ['shop.example.com', 'https'],
  ['shop.example.com/cart', 'https'],
  ['shop.example.com/at:8080', 'https'],
  ['shop.example.com:5432', 'tcp_connect'],
  ['mail.example.com:25', 'smtp_helo'],
  ['2001:db8::7', 'ping_ipv6'],
])('%s means one type', (pasted, typeId) => {
  const proposal = proposalFor(pasted)
  expect(proposal?.typeId).toBe(typeId)
  expect(proposal?.otherTypeId).toBeUndefined()
})

test.each([
  ['30 2 * * 1-5', '30 2 * * 1-5'],
  ['@daily', '0 0 * * *'],
  [' @Weekly ', '0 0 * * 0'],
  ['@annually', '0 0 1 1 *'],
])('%s is the schedule %s', (pasted, cron) => {
  expect(proposalFor(pasted)).toMatchObject({ typeId: 'heartbeat', address: '', settings: { cron } })
  expect(isUnclear(pasted)).toBe(false)
})

test.each(['0 3 * *', '*/5 * * *', '0 3 * * * *', '@reboot', 'backup every day', 'https://shop example.com/cart', '*'])(
  '%s is neither an address nor a schedule',
  (pasted) => {
    expect(isUnclear(pasted)).toBe(true)
    expect(proposalFor(pasted)).toBeNull()
  },
)

test.each([
  '',
  'https://',
  'shop',
  'shop.example.com/a b?c=*',
  'https://shop.example.com?for=a b',
  'me:se*ret@shop.example.com',
  'https://me@shop.example.com/@you',
  '[2001:db8::7]:443',
])('%s may become an address', (pasted) => expect(isUnclear(pasted)).toBe(false))
