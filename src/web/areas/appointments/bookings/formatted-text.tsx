type FormattedTextProps = { part: 'welcome' | 'footer'; html: string | undefined }

/** The owner's Markdown, converted to HTML by the server. Source: rule K5. */
export function FormattedText({ part, html }: FormattedTextProps) {
  if (!html) return null
  return (
    <div
      data-part={part}
      className="formatted"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the server escapes the owner's text
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
