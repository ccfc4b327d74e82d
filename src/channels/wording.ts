export interface Attachment {
  readonly fileName: string
  readonly contentType: string
  readonly content: string | Buffer
}

/** What a failed check saw, to be shown inside the message. */
export interface Picture {
  readonly contentType: string
  readonly content: Buffer
  /** Of the sensor that saw it. */
  readonly sensorId: number
}

export interface Wording {
  readonly subject: string
  readonly text: string
  /** The same as the text, for readers that show it. */
  readonly html?: string
  /** Named `picture` in the HTML. */
  readonly picture?: Picture
  readonly attachment: Attachment | null
}

/** By which the HTML names the attached picture. */
export const pictureId = 'picture@latarnik'
