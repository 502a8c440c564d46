import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { XMLBuilder, XMLParser } from 'fast-xml-parser';
import { canBeXml, escapeXml, parseXml, type XmlElement } from './xml.ts';

test('elements, attributes, text and CDATA are read, without prefixes', () => {
  const text = `<?xml version="1.0"?>
    <!-- <not this="one"/> -->
    <soap:Envelope xmlns:soap="urn:x">
      <sms id='7' s:state="a&amp;b">Привет &lt;&#x41;&#66;<![CDATA[<&]]></sms><sms/>
    </soap:Envelope>`;
  const envelope = parseXml(text)?.children[0];
  assert.equal(envelope?.name, 'Envelope');
  assert.deepEqual(envelope?.attributes, new Map());
  assert.deepEqual(envelope?.children, [
    {
      name: 'sms',
      attributes: new Map([
        ['id', '7'],
        ['state', 'a&b'],
      ]),
      children: [],
      text: 'Привет <AB<&',
    },
    { name: 'sms', attributes: new Map(), children: [], text: '' },
  ]);
});

const NOT_READ = [
  '',
  'OK',
  '<a>',
  '<a></b>',
  '<a/><b/>',
  '</a>',
  'x<a/>',
  '<a/>x',
  '<a b></a>',
  '<a b=c></a>',
  '<a b="1" b="2"/>',
  '<a b="<"/>',
  '<a>&nbsp;</a>',
  '<a>&constructor;</a>',
  '<a>a & b</a>',
  '<a>&#xffffff;</a>',
  '<a><![CDATA[x</a>',
  '<!-- <a/>',
  '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
  '<a>'.repeat(100) + '</a>'.repeat(100),
];
for (const text of NOT_READ) {
  test(`${JSON.stringify(text.slice(0, 30))} is not read`, () => {
    assert.equal(parseXml(text), undefined);
  });
}

const anyText = fc.string({ unit: 'grapheme', maxLength: 30 }).filter(canBeXml);
const special = fc.string({ unit: fc.constantFrom(...'<>&"\'; \r\n\t#x1]-'), maxLength: 30 });
const text = fc.oneof(anyText, special);

test('whatever the text, it is read as it was written', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const xml = `<a b="${escapeXml(one, 'attribute')}" c='${escapeXml(one, 'attribute')}'>${escapeXml(other, 'text')}</a>`;
      const [element] = (parseXml(xml) as XmlElement).children;
      assert.equal(element?.attributes.get('b'), one);
      assert.equal(element?.attributes.get('c'), one);
      assert.equal(element?.text, other);
      const parser = new XMLParser({
        ignoreAttributes: false,
        parseTagValue: false,
        parseAttributeValue: false,
        trimValues: false,
        htmlEntities: true,
      });
      const { a } = parser.parse(xml);
      assert.equal(a['@_b'], one);
      assert.equal(a['#text'] ?? '', other);
    }),
    { numRuns: 2_000 },
  );
});

test('what another library writes is read', () => {
  const builder = new XMLBuilder({ ignoreAttributes: false });
  const document = { r: { '@_id': 'a"<b>', one: 'x & y', two: ['1', '2'], three: '' } };
  const [root] = parseXml(builder.build(document))?.children ?? [];
  assert.equal(root?.attributes.get('id'), 'a"<b>');
  assert.deepEqual(
    root?.children.map(({ name, text }) => [name, text]),
    [
      ['one', 'x & y'],
      ['two', '1'],
      ['two', '2'],
      ['three', ''],
    ],
  );
});

test('control characters and halves of pairs cannot be XML', () => {
  for (const bad of ['\0', '\u0008', '\ud800', '\uffff', 'a\udc00'])
    assert.equal(canBeXml(bad), false);
  for (const good of ['', 'Қ\t\r\n', '😀']) assert.equal(canBeXml(good), true);
});

test('64 KB of anything take little time', () => {
  const startedMs = performance.now();
  for (const piece of [
    '<',
    '<a ',
    '<a b="',
    '<a>',
    '&',
    '<!--',
    '<a b="1" ',
    ' ',
    '<![CDATA[',
    '\r',
  ]) {
    parseXml(`<a>${piece.repeat(65_536 / piece.length)}`);
    parseXml(`<a ${piece.repeat(65_536 / piece.length)}`);
  }
  assert.ok(performance.now() - startedMs < 2_000);
});
