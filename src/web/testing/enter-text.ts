import type { UserEvent } from '@testing-library/user-event'

/**
 * Appends a text to a field at once, like pasting. This is faster than `user.type`, which renders the form for every letter. Use
 * `user.type` for tests about typing and for short texts.
 */
export async function enterText(
  user: Pick<UserEvent, 'click' | 'paste'>,
  field: Element,
  text: string,
): Promise<void> {
  await user.click(field)
  await user.paste(text)
}
