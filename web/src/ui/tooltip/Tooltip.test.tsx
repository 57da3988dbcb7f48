// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { click, draw, press, requireElement } from '../testing/draw.tsx';
import { Tooltip } from './Tooltip.tsx';

const tip = (): Element | null => document.querySelector('[role=tooltip]');

function drawTooltip(): HTMLElement {
  draw(<Tooltip label="About this number">We show only the last digits.</Tooltip>);
  const button = requireElement('button');
  click(button);
  return button;
}

test('a press opens it and connects it to its button [WCAG 4.1.2]', () => {
  const button = drawTooltip();
  expect(button.getAttribute('aria-describedby')).toBe(tip()?.id);
  expect(button.getAttribute('aria-expanded')).toBe('true');
});

test('a second press, a click outside and Escape close it [2.47, WCAG 1.4.13]', () => {
  const button = drawTooltip();
  click(button);
  expect(tip()).toBeNull();
  click(button);
  click(document.body);
  expect(tip()).toBeNull();
  click(button);
  press('Escape');
  expect(tip()).toBeNull();
});

test('a click on its text leaves it open [WCAG 1.4.13]', () => {
  drawTooltip();
  click(requireElement('[role=tooltip]'));
  expect(tip()).not.toBeNull();
});
