import { expect, test } from 'vitest'
import { domainOfAddress } from './watched-domain.ts'

test.each([
  ['web', 'shop.example.com/cart?x=a.org', 'example.com'],
  ['web', 'user:word@WWW.Example.co.uk:8443/', 'example.co.uk'],
  ['web', 'example.com.', 'example.com'],
  ['web', 'żagle.pl/', 'żagle.pl'],
  ['host', 'mail.example.org', 'example.org'],
  ['host_port', 'db.example.net:5432', 'example.net'],
  // Its users register nothing: the domain is that of the company behind it.
  ['web', 'people.github.io', 'github.io'],
  ['web', '192.0.2.1:80/', null],
  ['web', '[2001:db8::1]/', null],
  ['host', '2001:db8::1', null],
  ['web', 'localhost:3000/', null],
  ['web', 'printer.office.internal', null],
  ['web', 'nas.local/', null],
  ['web', 'shop.example/', null],
  ['web', 'co.uk/', null],
  ['domain', 'example.com', null],
  ['none', '', null],
] as const)('%s %s: %s', (addressForm, address, domain) => {
  expect(domainOfAddress({ addressForm }, address)).toBe(domain)
})
