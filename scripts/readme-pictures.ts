/** A look at the console: a window, a scheme, a language. */
export interface Look {
  readonly name: string
  readonly width: number
  readonly height: number
  readonly colorScheme: 'light' | 'dark'
  readonly locale: string
}

const desk = { name: 'light-en', width: 1280, height: 860, colorScheme: 'light', locale: 'en-GB' } as const
const phone = { name: 'phone-dark-en', width: 390, height: 844, colorScheme: 'dark', locale: 'en-GB' } as const

/** The files of `docs/pictures`: the screen and its look. Readers of English documents see English screens. */
export const readmePictures: Readonly<Record<string, readonly [screen: string, look: Look]>> = {
  services: ['services', desk],
  failure: ['failure', desk],
  service: ['service', { ...desk, name: 'dark-en', colorScheme: 'dark' }],
  phone: ['services', phone],
}
