/**
 * The element with this id. The page and the script come from one version, so a missing one is a
 * bug.
 */
export function find<T extends HTMLElement>(id: string, type: abstract new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`no #${id} on the page`);
  return element;
}

/** A named part of a cloned template. */
export function part<T extends Element>(root: ParentNode, name: string, type: new () => T): T {
  const element = root.querySelector(`[data-part="${name}"]`);
  if (!(element instanceof type)) throw new Error(`no part ${name} in the template`);
  return element;
}

/** A fresh list item from a `<template>` of the page. */
export function cloneItem(templateId: string): HTMLLIElement {
  const { content } = find(templateId, HTMLTemplateElement);
  const item = content.firstElementChild?.cloneNode(true);
  if (!(item instanceof HTMLLIElement)) throw new Error(`#${templateId} holds no list item`);
  return item;
}

/** The chosen value of a row of radio buttons. */
export function chosen(name: string): string {
  const radio = document.querySelector(`input[name="${name}"]:checked`);
  return radio instanceof HTMLInputElement ? radio.value : '';
}

/** A link that opens beside the page and gives nothing away about it. */
export function outsideLink(href: string, text: string): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = href;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  link.textContent = text;
  return link;
}

/** Only these may become links: an address in a message is somebody else's text. */
export function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value);
}
