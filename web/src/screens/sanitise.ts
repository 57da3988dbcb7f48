import DOMPurify from 'dompurify';

/** The tags allowed in texts of the service (wire contract, "Errors"). Other tags are removed; their text stays. */
const allowedTags = ['a', 'b', 'br', 'em', 'i', 'li', 'ol', 'p', 'strong', 'ul'];

/** Only http(s) links are allowed. */
const webAddress = /^https?:\/\//i;

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (!node.hasAttribute('href')) return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer');
});

/**
 * Sanitises a text of the service that can contain HTML. In browsers with Trusted Types the result is a trusted type of
 * the policy `dompurify`, which the content security policy must allow (`trusted-types dompurify`). In other browsers
 * it is a string.
 */
export function sanitise(html: string): TrustedHTML | string {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: ['href'],
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
    ALLOWED_URI_REGEXP: webAddress,
    RETURN_TRUSTED_TYPE: true,
  });
}
