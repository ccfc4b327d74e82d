/** Statuses of SMPP 3.4, section 5.1.3, that need an explanation. */
const statuses: Readonly<Record<number, string>> = {
  ...{ 1: 'the message is too long', 3: 'it does not know the command', 4: 'the session may not send' },
  ...{ 8: 'a system error', 10: 'the sender is not valid', 11: 'the number is not valid' },
  ...{ 13: 'the login failed', 14: 'the password is wrong', 15: 'the system id is wrong' },
  ...{ 20: 'its queue is full', 69: 'the submission failed', 80: 'the kind of number is not valid' },
  ...{ 81: 'the numbering plan is not valid', 88: 'too many messages', 97: 'the time is not valid' },
  ...{ 100: 'a passing error of the receiver', 101: 'a lasting error of the receiver', 102: 'the receiver refused it' },
  ...{ 254: 'the delivery failed', 255: 'an unknown error' },
}

/** Lasting faults of this number or this text: length, number, its type and plan, a permanent refusal. */
const permanent = [0x01, 0x0b, 0x50, 0x51, 0x65]
/** Passing faults of this number or this text. */
const passing = [0x45, 0x64, 0x66, 0xfe]

export function isPermanentStatus(status: number): boolean {
  return permanent.includes(status)
}

export function isAboutMessage(status: number): boolean {
  return permanent.includes(status) || passing.includes(status)
}

/** `0x0000000b, the number is not valid` */
export function describedStatus(status: number): string {
  const meaning = statuses[status]
  return `0x${status.toString(16).padStart(8, '0')}${meaning === undefined ? '' : `, ${meaning}`}`
}
