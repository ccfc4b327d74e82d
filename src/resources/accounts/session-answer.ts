const example = { id: '9f1c2a4e-0d53-4c8e-9a57-2f8a7f6f3a10', token: 'TOKEN' }

const properties = {
  id: { type: 'string' },
  token: { type: 'string', description: 'Shown this once: `Authorization: Bearer TOKEN`.' },
}

function answerWith(more: Readonly<Record<string, unknown>>) {
  const schema = { type: 'object', properties: { ...properties, ...more }, required: ['id', 'token'], example }
  return { 201: { about: 'The session.', schema, headers: { Location: 'Address of the session.' } } }
}

/** A login that succeeded. */
export const newSessionAnswer = answerWith({
  is_2fa_verification_required: {
    type: 'boolean',
    description: 'Only when true: the session answers nothing but proofs of the second factor, for five minutes.',
  },
})

/** A login that leaves nothing to prove. */
export const verifiedSessionAnswer = answerWith({})
