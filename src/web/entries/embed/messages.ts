export type FrameTheme = 'light' | 'dark'

/**
 * What the embedding page tells the booking page in its frame. It is in the frame's name and not in its address: there it is still
 * after a reload, and no server ever reads it.
 */
export type FrameSettings = {
  /** Is in every message, so that no other script of the page can pass for one of the two sides by chance. */
  readonly nonce: string
  /** The exact origin of the embedding page, to which the frame sends its messages. */
  readonly origin: string
  readonly theme: FrameTheme
  /** As high as its content, in the page; else with a height of its own, in a window over it. */
  readonly isInline: boolean
}

/** From the booking page to the page around it. Nothing in it is about a person. Source: rule W21. */
export type FrameMessage =
  | { readonly nonce: string; readonly type: 'ready' | 'booked' | 'close' }
  /** In CSS pixels. */
  | { readonly nonce: string; readonly type: 'height'; readonly height: number }

/** From the embedding page to the booking page. It answers `ready`, and follows each change of the page's look. */
export type HostMessage = { readonly nonce: string; readonly theme: FrameTheme }
