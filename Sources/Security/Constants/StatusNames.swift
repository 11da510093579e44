/// The names of all status codes without their prefix, for texts.
enum StatusNames {
  static let all: [OSStatus: Substring] = {
    let words = text.split { $0 == " " || $0 == "\n" }
    var names: [OSStatus: Substring] = [:]
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      if let status = OSStatus(words[index]) { names[status] = words[index + 1] }
    }
    return names
  }()

  private static let text = """
    0 Success -4 Unimplemented -34 DiskFull -36 IO -49 OpWr -50 Param -61 WrPerm -108 Allocate
    -128 UserCanceled -909 BadReq -2070 InternalComponent -25240 ACLNotSimple
    -25241 PolicyNotFound -25242 InvalidTrustSetting -25243 NoAccessForItem
    -25244 InvalidOwnerEdit -25245 TrustNotAvailable -25256 UnsupportedFormat -25257 UnknownFormat
    -25258 KeyIsSensitive -25259 MultiplePrivKeys -25260 PassphraseRequired
    -25261 InvalidPasswordRef -25262 InvalidTrustSettings -25263 NoTrustSettings
    -25264 Pkcs12VerifyFailure -25291 NotAvailable -25292 ReadOnly -25293 AuthFailed
    -25294 NoSuchKeychain -25295 InvalidKeychain -25296 DuplicateKeychain -25297 DuplicateCallback
    -25298 InvalidCallback -25299 DuplicateItem -25300 ItemNotFound -25301 BufferTooSmall
    -25302 DataTooLarge -25303 NoSuchAttr -25304 InvalidItemRef -25305 InvalidSearchRef
    -25306 NoSuchClass -25307 NoDefaultKeychain -25308 InteractionNotAllowed -25309 ReadOnlyAttr
    -25310 WrongSecVersion -25311 KeySizeNotAllowed -25312 NoStorageModule
    -25313 NoCertificateModule -25314 NoPolicyModule -25315 InteractionRequired
    -25316 DataNotAvailable -25317 DataNotModifiable -25318 CreateChainFailed
    -25319 InvalidPrefsDomain -25320 InDarkWake -25327 MPSignatureInvalid -25328 OTRTooOld
    -25329 OTRIDTooNew -26265 InvalidCertificate -26267 NotSigner -26268 UnsupportedAlgorithm
    -26270 PolicyDenied -26271 UnsupportedOperation -26273 UnsupportedPadding -26274 InvalidKey
    -26275 Decode -34000 ItemInvalidKey -34001 ItemInvalidKeyType -34002 ItemInvalidValue
    -34003 ItemClassMissing -34004 ItemMatchUnsupported -34005 UseItemListUnsupported
    -34006 UseKeychainUnsupported -34007 UseKeychainListUnsupported -34008 ReturnDataUnsupported
    -34009 ReturnAttributesUnsupported -34010 ReturnRefUnsupported
    -34011 ReturnPersitentRefUnsupported -34012 ValueRefUnsupported
    -34013 ValuePersistentRefUnsupported -34014 ReturnMissingPointer -34015 MatchLimitUnsupported
    -34016 ItemIllegalQuery -34017 WaitForCallback -34018 MissingEntitlement -34019 UpgradePending
    -67585 ServiceNotAvailable -67586 InsufficientClientID -67587 DeviceReset -67588 DeviceFailed
    -67589 AppleAddAppACLSubject -67590 ApplePublicKeyIncomplete -67591 AppleSignatureMismatch
    -67592 AppleInvalidKeyStartDate -67593 AppleInvalidKeyEndDate -67594 ConversionError
    -67595 AppleSSLv2Rollback -67596 QuotaExceeded -67597 FileTooBig -67598 InvalidDatabaseBlob
    -67599 InvalidKeyBlob -67600 IncompatibleDatabaseBlob -67601 IncompatibleKeyBlob
    -67602 HostNameMismatch -67603 UnknownCriticalExtensionFlag -67604 NoBasicConstraints
    -67605 NoBasicConstraintsCA -67606 InvalidAuthorityKeyID -67607 InvalidSubjectKeyID
    -67608 InvalidKeyUsageForPolicy -67609 InvalidExtendedKeyUsage -67610 InvalidIDLinkage
    -67611 PathLengthConstraintExceeded -67612 InvalidRoot -67613 CRLExpired -67614 CRLNotValidYet
    -67615 CRLNotFound -67616 CRLServerDown -67617 CRLBadURI -67618 UnknownCertExtension
    -67619 UnknownCRLExtension -67620 CRLNotTrusted -67621 CRLPolicyFailed -67622 IDPFailure
    -67623 SMIMEEmailAddressesNotFound -67624 SMIMEBadExtendedKeyUsage -67625 SMIMEBadKeyUsage
    -67626 SMIMEKeyUsageNotCritical -67627 SMIMENoEmailAddress -67628 SMIMESubjAltNameNotCritical
    -67629 SSLBadExtendedKeyUsage -67630 OCSPBadResponse -67631 OCSPBadRequest
    -67632 OCSPUnavailable -67633 OCSPStatusUnrecognized -67634 EndOfData
    -67635 IncompleteCertRevocationCheck -67636 NetworkFailure -67637 OCSPNotTrustedToAnchor
    -67638 RecordModified -67639 OCSPSignatureError -67640 OCSPNoSigner
    -67641 OCSPResponderMalformedReq -67642 OCSPResponderInternalError
    -67643 OCSPResponderTryLater -67644 OCSPResponderSignatureRequired
    -67645 OCSPResponderUnauthorized -67646 OCSPResponseNonceMismatch
    -67647 CodeSigningBadCertChainLength -67648 CodeSigningNoBasicConstraints
    -67649 CodeSigningBadPathLengthConstraint -67650 CodeSigningNoExtendedKeyUsage
    -67651 CodeSigningDevelopment -67652 ResourceSignBadCertChainLength
    -67653 ResourceSignBadExtKeyUsage -67654 TrustSettingDeny -67655 InvalidSubjectName
    -67656 UnknownQualifiedCertStatement -67657 MobileMeRequestQueued
    -67658 MobileMeRequestRedirected -67659 MobileMeServerError -67660 MobileMeServerNotAvailable
    -67661 MobileMeServerAlreadyExists -67662 MobileMeServerServiceErr
    -67663 MobileMeRequestAlreadyPending -67664 MobileMeNoRequestPending
    -67665 MobileMeCSRVerifyFailure -67666 MobileMeFailedConsistencyCheck -67667 NotInitialized
    -67668 InvalidHandleUsage -67669 PVCReferentNotFound -67670 FunctionIntegrityFail
    -67671 InternalError -67672 MemoryError -67673 InvalidData -67674 MDSError
    -67675 InvalidPointer -67676 SelfCheckFailed -67677 FunctionFailed
    -67678 ModuleManifestVerifyFailed -67679 InvalidGUID -67680 InvalidHandle -67681 InvalidDBList
    -67682 InvalidPassthroughID -67683 InvalidNetworkAddress -67684 CRLAlreadySigned
    -67685 InvalidNumberOfFields -67686 VerificationFailure -67687 UnknownTag
    -67688 InvalidSignature -67689 InvalidName -67690 InvalidCertificateRef
    -67691 InvalidCertificateGroup -67692 TagNotFound -67693 InvalidQuery -67694 InvalidValue
    -67695 CallbackFailed -67696 ACLDeleteFailed -67697 ACLReplaceFailed -67698 ACLAddFailed
    -67699 ACLChangeFailed -67700 InvalidAccessCredentials -67701 InvalidRecord -67702 InvalidACL
    -67703 InvalidSampleValue -67704 IncompatibleVersion -67705 PrivilegeNotGranted
    -67706 InvalidScope -67707 PVCAlreadyConfigured -67708 InvalidPVC -67709 EMMLoadFailed
    -67710 EMMUnloadFailed -67711 AddinLoadFailed -67712 InvalidKeyRef -67713 InvalidKeyHierarchy
    -67714 AddinUnloadFailed -67715 LibraryReferenceNotFound -67716 InvalidAddinFunctionTable
    -67717 InvalidServiceMask -67718 ModuleNotLoaded -67719 InvalidSubServiceID
    -67720 AttributeNotInContext -67721 ModuleManagerInitializeFailed -67722 ModuleManagerNotFound
    -67723 EventNotificationCallbackNotFound -67724 InputLengthError -67725 OutputLengthError
    -67726 PrivilegeNotSupported -67727 DeviceError -67728 AttachHandleBusy -67729 NotLoggedIn
    -67730 AlgorithmMismatch -67731 KeyUsageIncorrect -67732 KeyBlobTypeIncorrect
    -67733 KeyHeaderInconsistent -67734 UnsupportedKeyFormat -67735 UnsupportedKeySize
    -67736 InvalidKeyUsageMask -67737 UnsupportedKeyUsageMask -67738 InvalidKeyAttributeMask
    -67739 UnsupportedKeyAttributeMask -67740 InvalidKeyLabel -67741 UnsupportedKeyLabel
    -67742 InvalidKeyFormat -67743 UnsupportedVectorOfBuffers -67744 InvalidInputVector
    -67745 InvalidOutputVector -67746 InvalidContext -67747 InvalidAlgorithm
    -67748 InvalidAttributeKey -67749 MissingAttributeKey -67750 InvalidAttributeInitVector
    -67751 MissingAttributeInitVector -67752 InvalidAttributeSalt -67753 MissingAttributeSalt
    -67754 InvalidAttributePadding -67755 MissingAttributePadding -67756 InvalidAttributeRandom
    -67757 MissingAttributeRandom -67758 InvalidAttributeSeed -67759 MissingAttributeSeed
    -67760 InvalidAttributePassphrase -67761 MissingAttributePassphrase
    -67762 InvalidAttributeKeyLength -67763 MissingAttributeKeyLength
    -67764 InvalidAttributeBlockSize -67765 MissingAttributeBlockSize
    -67766 InvalidAttributeOutputSize -67767 MissingAttributeOutputSize
    -67768 InvalidAttributeRounds -67769 MissingAttributeRounds -67770 InvalidAlgorithmParms
    -67771 MissingAlgorithmParms -67772 InvalidAttributeLabel -67773 MissingAttributeLabel
    -67774 InvalidAttributeKeyType -67775 MissingAttributeKeyType -67776 InvalidAttributeMode
    -67777 MissingAttributeMode -67778 InvalidAttributeEffectiveBits
    -67779 MissingAttributeEffectiveBits -67780 InvalidAttributeStartDate
    -67781 MissingAttributeStartDate -67782 InvalidAttributeEndDate -67783 MissingAttributeEndDate
    -67784 InvalidAttributeVersion -67785 MissingAttributeVersion -67786 InvalidAttributePrime
    -67787 MissingAttributePrime -67788 InvalidAttributeBase -67789 MissingAttributeBase
    -67790 InvalidAttributeSubprime -67791 MissingAttributeSubprime
    -67792 InvalidAttributeIterationCount -67793 MissingAttributeIterationCount
    -67794 InvalidAttributeDLDBHandle -67795 MissingAttributeDLDBHandle
    -67796 InvalidAttributeAccessCredentials -67797 MissingAttributeAccessCredentials
    -67798 InvalidAttributePublicKeyFormat -67799 MissingAttributePublicKeyFormat
    -67800 InvalidAttributePrivateKeyFormat -67801 MissingAttributePrivateKeyFormat
    -67802 InvalidAttributeSymmetricKeyFormat -67803 MissingAttributeSymmetricKeyFormat
    -67804 InvalidAttributeWrappedKeyFormat -67805 MissingAttributeWrappedKeyFormat
    -67806 StagedOperationInProgress -67807 StagedOperationNotStarted -67808 VerifyFailed
    -67809 QuerySizeUnknown -67810 BlockSizeMismatch -67811 PublicKeyInconsistent
    -67812 DeviceVerifyFailed -67813 InvalidLoginName -67814 AlreadyLoggedIn
    -67815 InvalidDigestAlgorithm -67816 InvalidCRLGroup -67817 CertificateCannotOperate
    -67818 CertificateExpired -67819 CertificateNotValidYet -67820 CertificateRevoked
    -67821 CertificateSuspended -67822 InsufficientCredentials -67823 InvalidAction
    -67824 InvalidAuthority -67825 VerifyActionFailed -67826 InvalidCertAuthority
    -67827 InvaldCRLAuthority -67828 InvalidCRLEncoding -67829 InvalidCRLType -67830 InvalidCRL
    -67831 InvalidFormType -67832 InvalidID -67833 InvalidIdentifier -67834 InvalidIndex
    -67835 InvalidPolicyIdentifiers -67836 InvalidTimeString -67837 InvalidReason
    -67838 InvalidRequestInputs -67839 InvalidResponseVector -67840 InvalidStopOnPolicy
    -67841 InvalidTuple -67842 MultipleValuesUnsupported -67843 NotTrusted
    -67844 NoDefaultAuthority -67845 RejectedForm -67846 RequestLost -67847 RequestRejected
    -67848 UnsupportedAddressType -67849 UnsupportedService -67850 InvalidTupleGroup
    -67851 InvalidBaseACLs -67852 InvalidTupleCredendtials -67853 InvalidEncoding
    -67854 InvalidValidityPeriod -67855 InvalidRequestor -67856 RequestDescriptor
    -67857 InvalidBundleInfo -67858 InvalidCRLIndex -67859 NoFieldValues
    -67860 UnsupportedFieldFormat -67861 UnsupportedIndexInfo -67862 UnsupportedLocality
    -67863 UnsupportedNumAttributes -67864 UnsupportedNumIndexes -67865 UnsupportedNumRecordTypes
    -67866 FieldSpecifiedMultiple -67867 IncompatibleFieldFormat -67868 InvalidParsingModule
    -67869 DatabaseLocked -67870 DatastoreIsOpen -67871 MissingValue -67872 UnsupportedQueryLimits
    -67873 UnsupportedNumSelectionPreds -67874 UnsupportedOperator -67875 InvalidDBLocation
    -67876 InvalidAccessRequest -67877 InvalidIndexInfo -67878 InvalidNewOwner
    -67879 InvalidModifyMode -67880 MissingRequiredExtension -67881 ExtendedKeyUsageNotCritical
    -67882 TimestampMissing -67883 TimestampInvalid -67884 TimestampNotTrusted
    -67885 TimestampServiceNotAvailable -67886 TimestampBadAlg -67887 TimestampBadRequest
    -67888 TimestampBadDataFormat -67889 TimestampTimeNotAvailable
    -67890 TimestampUnacceptedPolicy -67891 TimestampUnacceptedExtension
    -67892 TimestampAddInfoNotAvailable -67893 TimestampSystemFailure -67894 SigningTimeMissing
    -67895 TimestampRejection -67896 TimestampWaiting -67897 TimestampRevocationWarning
    -67898 TimestampRevocationNotification
    """
}
