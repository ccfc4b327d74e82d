const schema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    token: { type: 'string', description: 'Shown this once: `Authorization: Bearer TOKEN`.' },
    is_2fa_verification_required: {
      type: 'boolean',
      description:
        'Only when true: the session answers nothing but `POST /sessions/{_id}/2fa/verify`, for five minutes.',
    },
  },
  required: ['id', 'token'],
  example: { id: '9f1c2a4e-0d53-4c8e-9a57-2f8a7f6f3a10', token: 'TOKEN' },
}

/** A login that succeeded. */
export const newSessionAnswer = {
  201: { about: 'The session.', schema, headers: { Location: 'Address of the session.' } },
}
