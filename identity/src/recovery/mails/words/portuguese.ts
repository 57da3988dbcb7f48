import type { RecoveryWords } from '../recovery-words.ts';

export const portuguese: RecoveryWords = {
  greeting: 'Olá, {{name}},',
  passwordLink: {
    subject: 'Seu link para uma nova senha',
    request:
      'Alguém, provavelmente você, solicitou uma nova senha para {{userName}}. Abra este link para escolher uma:',
    validity: 'O link vale uma vez e por {{minutes}} minutos. Só o link mais recente vale.',
    notYou: 'Se não foi você, não precisa fazer nada: sua senha continua a mesma.',
    button: 'Escolher uma nova senha',
  },
  invitation: {
    subject: 'Seu acesso aos seus conselhos',
    request:
      'Uma conta com o nome de usuário {{userName}} foi criada para você. Escolha uma senha para começar:',
    validity: 'O link vale uma vez, até {{until}}. Depois, a secretaria do conselho pode enviar um novo.',
    button: 'Escolher uma senha',
  },
  signsInElsewhere: {
    subject: 'Seu acesso',
    request:
      'Alguém, provavelmente você, solicitou uma nova senha para {{userName}}. Seu acesso é feito pela sua organização, por isso não há uma senha sua aqui.',
    help: 'Se não conseguir entrar, fale com o departamento de TI.',
  },
  siteNames: {
    subject: 'Seus portais',
    list: 'Estes são os portais aos quais você tem acesso, cada um com o nome a digitar ao entrar:',
    none: 'No momento, você não tem acesso a nenhum portal. Fale com a secretaria do conselho.',
    signIn: 'Entrar',
    notYou: 'Se você não solicitou isto, não precisa fazer nada.',
  },
};
