import Type, { type Static } from 'typebox';

export const HealthAnswer = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.String(),
    status: Type.Literal('ok'),
    version: Type.String(),
    time: Type.String({ format: 'date-time' }),
  },
  { $id: 'HealthAnswer' },
);
export type HealthAnswer = Static<typeof HealthAnswer>;
