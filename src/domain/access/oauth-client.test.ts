import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRedirectUri, parseOAuthClients } from './oauth-client.ts'

test.each([
  ['https://app.example.com/back', true],
  ['https://app.example.com/back?x=1&y=2', true],
  ['http://127.0.0.1:7777/', true],
  ['http://[::1]/back', true],
  ['com.example.app:/back', true],
  ['https://app.example.com/#fragment', false],
  ['https://user:password@example.com/', false],
  ['https:panel.example.com', false],
  ['https:///back', false],
  ['javascript:alert(1)', false],
  ['JavaScript:alert(1)', false],
  ['data:text/html,x', false],
  ['//app.example.com', false],
  ['/back', false],
  ['https://app.example.com/a b', false],
  ['https://app.example.com/\r\nSet-Cookie: x', false],
  ['https://app.example.com/powrót', false],
  ['https://żółw.example.com/', false],
  ["https://app.example.com;script-src'unsafe-inline'/", false],
  ['https://*.example.com/', false],
  ['https://app.example.com/a;b=c,d', true],
  ['', false],
])('%j as a redirect address: %s', (uri, isRight) => {
  expect(isRedirectUri(uri)).toBe(isRight)
})

const client = { client_id: 'panel', name: 'Panel', redirect_uris: ['https://panel.example.com/'] }

test.each([
  [JSON.stringify([client]), [client]],
  ['[]', []],
  [JSON.stringify([{ ...client, is_implicit_flow_allowed: true }]), [{ ...client, is_implicit_flow_allowed: true }]],
  [JSON.stringify([{ ...client, is_implicit_flow_allowed: 'yes' }]), null],
  ['', null],
  ['{}', null],
  [JSON.stringify([{ ...client, secret: 'x' }]), null],
  [JSON.stringify([{ ...client, redirect_uris: [] }]), null],
  [JSON.stringify([{ ...client, redirect_uris: ['data:x'] }]), null],
  [JSON.stringify([{ ...client, client_id: 'a b' }]), null],
  [JSON.stringify([client, client]), null],
])('clients in %s', (json, expected) => {
  expect(parseOAuthClients(json)).toEqual(expected)
})

test('any text is clients or null', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void parseOAuthClients(text)))
})
