import type * as en from '../en/delivery.ts';

export const attempts: typeof en.attempts = {
  id: 'Yetkazish ID',
  none: 'Yetkazishlar yoʻq',
  noneWhy: 'Sessiya tugaganda assistentda webhook URL boʻlmagan.',
  noAttempt: 'Hali urinishlar yoʻq.',
  attempt: (attempt) => `${attempt}-urinish`,
  took: (duration) => `${duration} ichida`,
  sendNow: 'Hozir yuborish',
  request: 'Soʻrov',
  requestHeaders: 'Soʻrov sarlavhalari',
  requestBody: 'Soʻrov matni',
  response: 'Javob',
  responseHeaders: 'Javob sarlavhalari',
  responseBody: 'Javob matni',
  emptyBody: 'Matn boʻsh.',
  truncated: 'Matnning faqat dastlabki 16 KiB qismi saqlanadi.',
};

export const delivery: typeof en.delivery = {
  titleOf: (event) => `${event} yetkazilishi`,
  original: 'Asl yetkazish',
  ifItFails: 'kerak boʻlsa',
};

export const failureAdvice: typeof en.failureAdvice = {
  timeout: 'Qabul qiluvchi 10 s ichida javob bermadi. Avval 2xx javobini qaytaring, keyin qayta ishlang.',
  dns: 'Webhook URL dagi xost nomi topilmadi. URL ni assistentda tuzating: keyingi urinish yangisini ishlatadi. Klasterda toʻliq nom kerak.',
  connect: 'Qabul qiluvchi ulanishlarni qabul qilmayapti. U ishlab turganini va porti ochiqligini tekshiring.',
  connection_closed:
    'Qabul qiluvchi ulanishni qabul qildi, lekin javob tugamasdan yopdi. Uning jurnalini va oldidagi proksilarni tekshiring.',
  tls: 'TLS ulanishi amalga oshmadi. Sababini kod koʻrsatadi.',
  invalid_response:
    'Qabul qiluvchining javobi HTTP/1.1 ga mos emas. Uning sarlavhalarini va URL dagi http yoki https ni tekshiring.',
  redirect: 'Yoʻnaltirishlar bajarilmaydi. Webhook URL sifatida oxirgi manzilni koʻrsating.',
  blocked_address:
    'URL xususiy yoki zaxiralangan manzilga olib boradi. Bu server bunday manzillarga hech narsa yubormaydi.',
  http_status: 'Qabul qiluvchi xato qaytardi. “Javob” boʻlimiga qarang.',
  worker_lost: 'Vorker urinishni qayd etmasdan ishdan chiqdi. Yetkazish takrorlanadi.',
  secret_unreadable: 'Webhookning maxfiy kalitini ochib boʻlmadi. Assistentda yangi maxfiy kalit kiriting.',
};

export const tlsAdvice: typeof en.tlsAdvice = {
  noTls: 'Qabul qiluvchi bu portda TLS ishlatmaydi. Portni tuzating yoki URL da http yozing.',
  clientCertificate:
    'Qabul qiluvchi mijoz sertifikatini talab qiladi, u xizmatda yoʻq, yoki uning shifrlarini qabul qilmaydi. Sertifikatsiz soʻrovlarga ruxsat bering va imzoni tekshiring.',
  oldVersion: 'Qabul qiluvchi TLS ning faqat eskirgan versiyasini biladi. TLS 1.2 yoki 1.3 ni yoqing.',
  expired: 'Sertifikat muddati tugagan. Uni yangilang.',
  otherName: 'Sertifikat URL dagidan boshqa xost nomi uchun berilgan.',
  unknownIssuer:
    'Sertifikatni bergan markaz nomaʼlum. Oraliq sertifikatlarni ham yuboring. Markaz xususiy boʻlsa, server administratoriga murojaat qiling.',
};

export const stopReasons: typeof en.stopReasons = {
  assistant_deleted: 'Assistent oʻchirilgan.',
  webhook_url_removed: 'Webhook URL olib tashlangan.',
  alert_removed: 'Ogohlantirish oʻchirilgan.',
  canceled: 'Sessiya bekor qilingan.',
  requested: 'Qoʻlda toʻxtatilgan.',
  terminated: 'Ish jarayoni majburan toʻxtatilgan.',
};
